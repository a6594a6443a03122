"""Patterns for what blocking pages say. They match case-folded text.

Login pages are known in many languages: of 153 unseen ones, the words of languages other than English find ten. The
words of walls are English, because no saved wall is found by others: their statuses, headers and marks say as much. No
saved page is a soft 404 or a consent wall, so those words, of eight languages, are untested.

A match alone never decides: it counts in titles and headings, beside a form, or on a page with little other
text.
"""

import re

_SEPARATORS = re.compile(r"\s[-–—•·»>]\s|[|:»·•]|\s::\s|[–—]")


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{alternative})" for alternative in alternatives))


LOGIN = _pattern(
    r"\blog[\s-]?(?:in|on|into)\b|\blogga in\b|\blogg? ind?\b|\bsign[\s-]?(?:in|on|into)\b",
    r"\banmeld(?:en|ung)\b|\beinloggen\b|\baanmelden\b|\binloggen\b",
    r"\bconnexion\b|\b(?:se|me) connecter\b|\bconnectez[\s-]vous\b",
    r"\bidentifi(?:cation|ez[\s-]vous)\b|s['’]identifier\b",
    r"\binici(?:ar|a|o de) sesi[oó]n\b|\bidentif[ií]cate\b|\bingresar\b|\bacceder\b|\bacceso\b",
    r"\baccedi\b|\baccesso\b|\bentrar\b|\biniciar sess[aã]o\b|\bautentica[rç]",
    r"\bzaloguj|\blogowani[ea]\b|\bp[rř]ihl[aá](?:sit|[sš]en)|\bprihl[aá]s|\bprijava\b|\bprijavi",
    r"\bkirjaudu\b|\bbejelentkez|\bautentificare\b|\bconectare\b",
    r"\bво(?:йти|йдите|сход)\b|\bвход\b|\bавторизаци|\bувійти\b|\bвхід\b|\bσύνδεση\b|\bείσοδος\b",
    r"ログイン|サインイン|登录|登錄|登入|로그인|เข้าสู่ระบบ|लॉग ?इन|تسجيل الدخول|ورود|כניסה|התחבר",
)
"""For titles, headings and buttons."""

LOGIN_PATH = re.compile(
    r"(?:^|[/_.-])(?:log-?[io]n|sign-?[io]n|user-?login|auth|authenticate|sso|oauth2?|session/new|sessions/new"
    r"|anmelden|anmeldung|connexion|iniciar-sesion|accedi|inloggen|logowanie|zaloguj|vhod|wp-login|lgn)"
    r"(?=$|[/_.?-])"
)
"""For the path of a URL."""

PASSCODE = re.compile(r"one-time-code|approvals?_code|verification_?code|(?:^|\W)otp(?:$|\W)|two_?factor|2fa")
"""For the names of input fields."""

NOT_FOUND = _pattern(
    r"\b(?:error|erreur|fehler|errore|erro|fout|błąd|http)?\s*404\b\s*(?:error|fehler)?",
    r"\b(?:(?:the|this|that|your|requested|web|product|item|article|content|file|url|we|sorry)[\s,]++){0,8}"
    r"(?:page|document|product|item|article|content|file|resource|url|site)?\s*+"
    r"(?:(?:you(?:['’]re| are| were|)? (?:looking for|requested|trying to (?:access|reach)))\s*+)?"
    r"(?:(?:was|is|were|could|can|cannot|can['’]t|couldn['’]t)\s*+)?(?:not|no longer)?\s*+"
    r"(?:be found|not found|exist(?:s)? anymore|no longer exists?)\b",
    r"\b(?:the |this )?(?:page|product|article|item)?\s*(?:(?:that )?you(?:['’]re| are| were) looking for )?"
    r"(?:does not|doesn['’]t|isn['’]t|is not|is no longer) (?:exist|here|available|valid)\b",
    r"\b(?:sorry, )?(?:we )?(?:couldn['’]t|could not|can['’]t|cannot) (?:find|locate) (?:the|that|this|your) page\b"
    r"(?: you(?:['’]re| are| were) looking for)?",
    r"\bpage (?:is )?missing\b|\bnothing (?:was )?found\b",
    r"\bseite (?:wurde |konnte )?(?:leider )?nicht gefunden(?: werden)?\b|\bseite existiert nicht\b",
    r"\bpage (?:introuvable|non trouvée|inexistante|n['’]existe (?:pas|plus))\b",
    r"\bp[aá]gina no (?:encontrada|existe)\b|\bp[aá]gina n[aã]o (?:foi )?(?:encontrada|existe)\b",
    r"\bpagina non (?:è stata )?trovata\b|\bpagina non esiste\b|\bpagina niet gevonden\b|\bpagina bestaat niet\b",
    r"\bnie znaleziono(?: strony)?\b|\bstrona nie istnieje\b",
)
"""For titles and headings."""

RATE = _pattern(
    r"\btoo many requests\b|\brate[\s-]?limit(?:ed|ing)?\b|\brequest limit (?:reached|exceeded)\b",
    r"\btoo many (?:attempts|connections|hits|page views)\b|\b(?:quota|bandwidth(?: limit)?) exceeded\b",
    r"\b(?:sending|making|made) (?:requests )?too (?:many|quickly|fast|frequently)\b",
    r"\bslow down\b.{0,60}\brequests?\b",
)

GEO = _pattern(
    r"\bnot (?:currently )?(?:available|accessible|supported|offered) (?:in|from|to) (?:users in )?your "
    r"(?:country|region|location|area|territory|jurisdiction)",
    r"\bunavailable (?:in|from) your (?:country|region|location|area)",
    r"\bunavailable (?:due to|for) legal reasons\b",
    r"\b(?:block\w*|ban\w*|restrict\w*|den\w*)\b.{0,60}\byour (?:country|region|location)\b",
    r"\byour (?:country|region|location)\b.{0,40}\b(?:block|ban|restrict|not allowed|not supported|not permitted)",
    r"\b(?:european economic area|european union|eea|gdpr)\b.{0,160}"
    r"\b(?:cannot be granted|not available|unavailable)",
    r"\b(?:unavailable|not available) (?:in|to|for).{0,40}"
    r"\b(?:european (?:countries|visitors|users|union|economic area)|eu)\b",
)

DENIED = _pattern(
    r"\baccess (?:to this (?:page|site|website|resource) )?(?:is |has been )?(?:denied|forbidden|blocked|restricted)\b",
    r"\b(?:403|401)\b\s*+(?:[-:]\s*+)?(?:forbidden|unauthori[sz]ed|error|access)",
    r"\b(?:error|http)\s*(?:403|401)\b|\bforbidden\b",
    r"\byou(?:['’]ve| have|r (?:ip|request|access|connection)(?: address)?(?: has)?) been "
    r"(?:temporarily )?(?:blocked|denied|banned|limited)",
    r"\b(?:request|connection|ip address|ip) (?:was |has been |is )?(?:blocked|rejected|banned)\b",
    r"\byour ip\b.{0,40}\bblocked\b",
    r"\b(?:you )?(?:don['’]t|do not) have permission\b",
    r"\bpermission denied\b|\bnot authori[sz]ed to (?:view|access)\b",
    r"\breference #\d+\.[0-9a-f]{6,}\.\d{9,}\.[0-9a-f]+\b",
    r"\bthe requested url was rejected\b|\brequest unsuccessful\b",
)

CHALLENGE = _pattern(
    r"\bjust a moment\b|\bone moment,? please\b|\battention required\b",
    r"\bpardon our interruption\b|\brobot check\b",
    r"\bchecking (?:if the site connection is secure|your browser|the security of your connection)\b",
    r"\bddos[\s-]?(?:protect|gateway|guard|mitigation|shield)",
    r"\b(?:verify|verifying|confirm|prove|checking|make sure|making sure)(?: that)? (?:if )?you(?:['’]re| are)? "
    r"(?:a |an |not a |not an )?(?:real )?(?:human|robot|bot|person)\b",
    r"\bare you (?:a |an )?(?:human|robot|bot)\b",
    r"\b(?:i['’]m|i am) not a robot\b|\bhuman verification\b|\bnot a robot\b",
    r"\bsecurity (?:check|checkpoint|verification)\b",
    r"\bbrowser (?:check|verification)\b|\bbot (?:check|verification|protection)\b",
    r"\bunusual (?:traffic|activity)\b",
    r"\b(?:automated|suspicious) (?:access|traffic|activity|queries|requests)\b",
    r"\bplease enable (?:js|javascript) and (?:disable any ad blocker|cookies)\b",
    r"\benable (?:javascript and cookies|cookies and javascript)\b",
    r"\bpress (?:&|and) hold\b|\bcomplete the (?:captcha|security check)\b",
    r"\b(?:solve|enter|fill in)(?: this| the)? captcha\b",
    r"\bblocked by (?:network )?security\b|\bclient challenge\b|\bverification required\b",
)
"""For pages with little other text."""

NEEDS_SCRIPTS = _pattern(
    r"\b(?:enable|activate|turn on|requires?|need[s]?|without|allow|supports?)\b.{0,60}\bjava\s?script\b",
)
"""For noscript notices."""

CONSENT = _pattern(
    r"\bcookies?\b|\bconsent\b|\bprivacy\b|\bgdpr\b|\bccpa\b",
    r"\bpersonal(?:i[sz]ed)? (?:data|ads|advertis\w+|content)\b",
    r"\b(?:our|and|\d+) partners\b|\bvendors\b|\blegitimate interest\b|\btracking\b",
    r"\bdatenschutz|\beinwillig|\bzustimm|\bpartner(?:n)?\b|\bpersonalisierte\b|\bverarbeit|\bkonsent",
    r"\bconsent(?:ement|imiento|imento|ir|s)\b|\bconfidentialité\b",
    r"\bpartenaires\b|\bdonnées (?:personnelles|à caractère)\b",
    r"\bprivacidad\b|\bprivacidade\b|\bsocios\b|\bparceiros\b",
    r"\bdatos personales\b|\bdados pessoais\b|\bpartner pubblicitari\b",
    r"\btoestemming\b|\bpersoonsgegevens\b|\bzgod[ayę]\b",
    r"\bprywatnoś|\bciastecz|\bpartnerzy\b|\bdanych osobowych\b",
)
"""Different matches are counted, because a consent text has many of them."""

ACCEPT = _pattern(
    r"\b(?:accept|agree|allow|reject|decline|got it|i understand|continue without)\b",
    r"\bmanage (?:options|preferences|settings)\b",
    r"\bakzeptier|\bzustimm|\bablehn|\beinverstanden\b|\balle erlauben\b",
    r"\baccepter\b|\brefuser\b|\bj['’]accepte\b|\btout accepter\b",
    r"\bacepta[r]?\b|\brechazar\b|\bde acuerdo\b|\baceitar\b",
    r"\brejeitar\b|\bconcordo\b|\baccett[ao]\b|\brifiuta\b",
    r"\bakkoord\b|\baccepteren\b|\bweigeren\b|\bakceptuj|\bzgadzam\b",
    r"\bodrzuć\b",
)
"""For the buttons of a consent text."""


def fold(text: str) -> str:
    """Fold text for the patterns: case-folded, with single spaces."""
    return " ".join(text.casefold().split())


def fills_segment(pattern: re.Pattern[str], line: str) -> re.Match[str] | None:
    """A match that makes up most of one part of a title or heading, so that it says what the page is.

    "Page not found | Shop" has such a part; "How I fixed 404 not found errors in nginx" does not.
    """
    folded = fold(line)
    if not pattern.search(folded):
        return None
    for segment in (folded, *_SEPARATORS.split(folded)):
        bare = segment.strip(" .!?…()[]\"'“”-–,;")
        covered = sum(len(match[0].strip()) for match in pattern.finditer(bare))
        if bare and covered >= len(bare) / 2:
            return pattern.search(bare)
    return None
