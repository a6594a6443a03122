"""Say whether a sentence tells the event or relation that a question asks about: who designed it, when it opened."""

import re
from typing import Final

from research_crawler.text.subject import names_in
from research_crawler.text.words import WORD, stem, terms

_ALIKE: Final = tuple(
    re.compile(rf"\b(?:{words})", re.I)
    for words in (
        r"found(?:ed|er|ing)\b|establish|set up\b|goes back to\b|dates? (?:back )?(?:from|to)\b"
        r"|has existed since\b|gegründet|gründ|fond(?:é|er|ateur|at[oaie]|ò)|fund(?:ad|ó|ou|ar\b)"
        r"|opgericht|założ|zał[oó]ż",
        r"open(?:s|ed|ing)?\b|inaugur|eröffne|öffnet|ouvert|ouvri|abiert|abri[óou]|apert|apr[eì]|geopend|opende"
        r"|otwart"
        r"|otwarci",
        r"built\b|build(?:s|er)?\b|construct|erect|gebaut|erbaut|errichte|baute|constru|bâti|costru|gebouwd|bouwde"
        r"|zbudowa",
        r"made\b|manufactur|produced?\b|production|hergestellt|gefertigt|produziert|fabriqu|fabrica|fabbricat"
        r"|prodott|gemaakt"
        r"|vervaardigd|produkowan|feito|feita",
        r"born\b|birth|natives? of\b|hails? from\b|gebürtig|geboren|geburt|\bné(?:e)?\b|naissance|naqui|nació"
        r"|nacid|nascimento|nacimiento|nascit|nasc[eiu]"
        r"|\bnato\b|\bnata\b|geboorte|urodz",
        r"die[ds]?\b|passed away\b|death|gestorben|starb|\btod\b|mort\b|morte\b|mourut|murió|morreu|morì|muerte"
        r"|overle|stierf|zmar",
        r"releas|com(?:es?|ing) out|came out|publish|launch|erschein|erschien|veröffentlich|herausgegeben"
        r"|\bparu|\bsorti|lanz(?:ad|ó|am)|lanç|publi(?:é|cad|cat|có)|usci(?:t|r|to)|verschen|uitgebracht|wydan",
        r"burn|flames\b|fire\b|blaze|destroy|abgebrannt|niedergebrannt|brannte|zerstör|brûl|incendi|détrui|destru"
        r"|distru"
        r"|afgebrand|verwoest|spłon|spali",
        r"design|architect|plans? by|work of|entworfen|entwarf|architekt|concu|conçu|dessin|diseñ|arquitect|progett"
        r"|architett|ontworp|ontwierp|zaprojekt",
        r"invent|came up with\b|brainchild|devised\b|thought up\b|erfand|erfunden|erfinder|inventé|inventó"
        r"|uitgevonden|uitvond|wynalaz|wynalazł",
        r"discover|first (?:seen|spotted|sighted|observed|described)\b|entdeck|découv|descubr|scop(?:er|rì)"
        r"|ontdek|odkry|descob",
        r"wr(?:ote|ite|itten)|author|code ?base|coded\b|implemented in\b|programmed in\b|geschrieben|schrieb"
        r"|verfass|autor|écri|escri|scri(?:tt|ss)|geschreven|schreef"
        r"|napisa",
        r"compos|komponi|skompon",
        r"paint(?:ed|er|s)\b|gemalt|malte|peint|pint[aóo]|dipin|geschilderd|schilder|namalow",
        r"w[io]ns?\b|champion|triumph|victor|went to|first place|winner|gewann|gewonnen|sieger|gagn|vainqueur"
        r"|gan[óa]|ganador"
        r"|vin(?:se|to|citore)"
        r"|wygra|venc",
        r"headquarter|head office|main office|run from\b|home base|\bbased in|\bseat\b|hauptsitz|\bsitz\b|siège"
        r"|sede\b|hoofdkantoor|siedzib",
        r"own(?:s|ed|er|ers)\b|bought by\b|acquired by\b|parent company|belongs? to|gehört|besitz|appartient"
        r"|propri|pertenece|appartiene|eigen(?:dom|aar)|należy"
        r"|pertence",
        r"ceo\b|chair(?:man|woman|person)?\b|runs\b|lead|leads|led\b|leader|head(?:s|ed)?\b|director|mayor|chief"
        r"|leite|leiter|chef\b|dire[ck]t(?:or|eur|tore)|direttore|alcalde|maire|sindaco"
        r"|burgemeester|bürgermeister|burmistrz|dyrektor|prefeito",
        r"capital\b|seat of (?:the )?government|hauptstadt|capitale?\b|hoofdstad|stolic",
        r"licen[cs]|lizenz|licenci|licenz|licenc",
        r"direct(?:ed|or)\b|film by\b|regie|régie|réalis|dirigid|dirett|regist|reżyser",
        r"buried|grave\b|tomb\b|begraben|\bgrab\b|enterré|enterrad|sepolt|begraven|pochowan",
        r"held\b|take[sn]? place|took place|happen|occur|stattfind|fand statt|stattgefund|eut lieu|aura lieu"
        r"|tuvo lugar"
        r"|tendrá lugar|ebbe luogo|plaats|odby",
    )
)
"""Words for one event or relation, in the languages of reports. "Founded" and "opened" are two: a museum may be opened
years after it was founded."""
_ASKS_KIND: Final = re.compile(r"licen[cs]e|capital|lizenz|licencia|licenza", re.I)
"""What is asked for by its name, whatever happened: under which licence it is released."""
_NO_EVENT: Final = frozenset(
    "when who where which what year month day date wa were did doe do is are ha have had will be".split()  # noqa: SIM905
)
"""Stems of a question that say nothing of what happened."""


_NAMES_SOMEBODY: Final = re.compile(r"\w*\s[A-ZÀ-Þ]")
"""What follows a word that says what somebody is ("the composer Anton Virelli"), and not what he did."""


def tells_what_is_asked(question: str, text: str) -> bool:
    """Whether a text has the question's own word for what happened, or another word for the same."""
    return event_in(question, text) is not None


def event_in(question: str, text: str) -> tuple[int, int] | None:
    """Where a text tells what the question asks about, start and end of the word; None: it does not."""
    alike = [
        (match.start(), words)
        for words in _ALIKE
        if (match := words.search(question)) and not _NAMES_SOMEBODY.match(question, match.end())
    ]
    if alike:
        alike.sort(key=lambda one: one[0])
        told = [words.search(text) for _, words in alike]
        if _ASKS_KIND.match(question, alike[0][0]) and len(told) > 1:
            told = told[:1]
        if not told[0] or not all(told):
            return None
        start, end = told[0].span()
        return start, next((word.end() for word in WORD.finditer(text, start) if word.end() >= end), end)
    asked = set(terms(question)) - names_in(question) - _NO_EVENT
    return next((match.span() for match in WORD.finditer(text) if stem(match[0].lower()) in asked), None)
