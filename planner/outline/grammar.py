"""The function words by which clauses of a question are told apart, in every language of reports."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final


@dataclass(frozen=True)
class FunctionWords:
    """Function words of a language, each group as a pattern without brackets."""

    question: str
    """What asks for something: who, when, why."""
    relative: str
    """Question words that after a comma alone mostly continue a clause: `the tool, which was made in 1990`."""
    extent: str
    """What may follow a question word: `how much`."""
    verb: str
    """Verbs that begin a question: `can it …`."""
    subject: str
    """What follows such a verb, names and digits aside."""
    order: str
    """Verbs that ask as an order: `explain …`."""
    link: str
    """What joins clauses, other than a comma."""
    before: str
    """Prepositions before a question word: `from which`."""
    versus: str
    """What stands between compared things."""
    compare: str
    """What begins a comparison; the things follow."""
    about: str
    """Prepositions after which the scope of compared things is named: `A or B for searching`."""
    of: str
    """What stands between attributes and what has them: `height and weight of …`."""
    lead: str
    """How a question for attributes begins: `what is the …`."""


_ENGLISH: Final = FunctionWords(
    question="who|whom|whose|what|which|when|where|why|how|whether",
    relative="who|whom|whose|which|when|where",
    extent="much|many|often|long|far|old|else|exactly",
    verb="is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|may|must",
    subject="it|its|they|this|that|these|those|there|i|you|we|he|she|one|my|your|their|our|the|a|an|any|all|some|people",
    order="compare|contrast|describe|discuss|explain|list|name|outline|recommend|show|summari[sz]e|tell me",
    link="and|or|but|as well as|and then|then",
    before="in|on|at|by|for|from|of|since|to|under|until|with|through",
    versus="vs\\.?|versus|compared (?:to|with)|rather than|instead of",
    compare="differences? between|compar(?:e|ison of|ing)|contrast|choose between",
    about="regarding|in terms of|concerning|with respect to|for|in|on|of|with|under|at|by|when|as",
    of="of",
    lead="what (?:is|are|was|were)",
)
_LANGUAGES: Final = {
    "en": _ENGLISH,
    "de": FunctionWords(
        question="wer|wen|wem|wessen|was|welche[nmrs]?|wann|wo|woher|wohin|warum|weshalb|wieso|wie|wozu|womit|wodurch|ob",
        relative="wer|was|welche[nmrs]?|wo|wie",
        extent="viel|viele|oft|lange|weit|alt|genau",
        verb="ist|sind|war|waren|kann|können|soll|sollte|muss|wird|werden|gibt|hat|haben|darf",
        subject="es|sie|er|man|ich|wir|der|die|das|den|ein|eine|einen|mein|dies\\w*",
        order="beschreibe|erkläre|liste|nenne|vergleiche|zeige",
        link="und|oder|aber|sowie|und dann",
        before="in|an|auf|ab|aus|bei|bis|durch|für|mit|nach|seit|um|unter|von|zu",
        versus="vs\\.?|versus|gegenüber|statt|anstelle von|im vergleich (?:zu|mit)",
        compare="unterschiede?(?:n)? zwischen|vergleich(?:e|en)?(?: von)?",
        about="für|in|im|an|bei|mit|unter|als|hinsichtlich|von|zum|zur",
        of="von|des|der|eines|einer",
        lead="was (?:ist|sind|war|waren)|wie (?:ist|sind|lauten|lautet)",
    ),
    "fr": FunctionWords(
        question="qui|quoi|quel(?:le)?s?|quand|où|pourquoi|comment|combien|qu['’]est-ce que",
        relative="qui|quand|où|quel(?:le)?s?",
        extent="de temps|d['’]années|exactement",
        verb="est-ce que|est|sont|peut|peut-on|faut-il|y a-t-il|a-t-(?:il|elle|on)",
        subject="il|elle|on|je|nous|le|la|les|un|une|ce|cette|ces|mon|ma",
        order="compare[rz]?|décri(?:s|re|vez)|explique[rz]?|liste[rz]?|nomme[rz]?|résume[rz]?",
        link="et|ou|mais|ainsi que|puis",
        before="à|avec|dans|de|depuis|en|jusqu['’]à|par|pour|sous|sur",
        versus="vs\\.?|versus|contre|plutôt que|par rapport à|au lieu de",
        compare="différences? entre|compare[rz]?|comparaison (?:de|entre)",
        about="pour|dans|en|sur|avec|sous|comme|de|concernant",
        of="de la|de l['’]|du|des|de|d['’]",
        lead="quel(?:le)?s? (?:est|sont|était|étaient)",
    ),
    "es": FunctionWords(
        question="quién(?:es)?|qué|cuál(?:es)?|cuándo|dónde|por qué|cómo|cuánt[oa]s?",
        relative="quién(?:es)?|cuál(?:es)?|cuándo|dónde",
        extent="tiempo|exactamente",
        verb="es|son|fue|puede|pueden|se puede|hay|tiene|tienen|debe",
        subject="el|la|los|las|un|una|se|yo|este|esta|mi",
        order="compara|describe|explica|enumera|lista|nombra|resume",
        link="y|e|o|u|pero|así como|y luego",
        before="a|con|de|desde|en|hasta|para|por|según|sobre",
        versus="vs\\.?|versus|frente a|en vez de|en lugar de|comparad[oa] con",
        compare="diferencias? entre|compara(?:r|ción (?:de|entre))?",
        about="para|en|sobre|con|bajo|como|de|respecto a",
        of="del|de los|de las|de la|de",
        lead="(?:cuál(?:es)?|qué) (?:es|son|era|eran)",
    ),
    "it": FunctionWords(
        question="chi|che cosa|cosa|quale|quali|quando|dove|perché|come|quant[oaie]",
        relative="chi|quale|quali|quando|dove|come",
        extent="tempo|spesso|esattamente",
        verb="è|sono|era|può|possono|si può|c['’]è|ha|hanno|deve",
        subject="il|lo|la|i|gli|le|un|una|si|io|questo|questa",
        order="confronta|descrivi|spiega|elenca|nomina|riassumi",
        link="e|ed|o|oppure|ma|nonché|e poi",
        before="a|con|da|di|fino a|in|per|su|sotto",
        versus="vs\\.?|versus|rispetto a|invece di|anziché",
        compare="differenz[ae] (?:tra|fra)|confronta(?:re)?|confronto (?:tra|fra|di)",
        about="per|in|su|con|sotto|come|di|riguardo a",
        of="del|della|dello|dei|delle|degli|dell['’]|di",
        lead="(?:qual|quali|cosa) (?:è|sono|era|erano)",
    ),
    "nl": FunctionWords(
        question="wie|wiens|wat|welke?|wanneer|waar|waarom|hoe|hoeveel|waarmee|waardoor",
        relative="wie|welke?|wanneer|waar|wat",
        extent="veel|vaak|lang|ver|oud|precies",
        verb="is|zijn|was|waren|kan|kunnen|moet|wordt|worden|heeft|hebben|mag",
        subject="het|de|een|ze|zij|hij|men|ik|we|wij|dit|dat|deze|die|mijn",
        order="beschrijf|leg uit|noem|vergelijk|vat samen",
        link="en|of|maar|alsook|en dan",
        before="aan|bij|door|in|met|naar|om|onder|op|sinds|tot|uit|van|voor",
        versus="vs\\.?|versus|in plaats van|vergeleken met|tegenover",
        compare="verschil(?:len)? tussen|vergelijk(?:ing (?:van|tussen))?",
        about="voor|in|op|met|onder|als|van|wat betreft",
        of="van",
        lead="(?:wat|welke?) (?:is|zijn|was|waren)",
    ),
    "pt": FunctionWords(
        question="quem|o que|qual|quais|quando|onde|por que|porquê|como|quant[oa]s?",
        relative="quem|qual|quais|quando|onde|como",
        extent="tempo|exatamente",
        verb="é|são|foi|pode|podem|há|tem|têm|deve",
        subject="o|a|os|as|um|uma|se|eu|este|esta|isso|meu|minha",
        order="compare|descreva|explique|liste|nomeie|resuma",
        link="e|ou|mas|bem como|e depois",
        before="a|até|com|de|desde|em|para|por|sob|sobre",
        versus="vs\\.?|versus|em vez de|em comparação com|ao invés de",
        compare="diferenças? entre|compare|compara(?:r|ção (?:de|entre))",
        about="para|em|sobre|com|sob|como|de|quanto a",
        of="do|da|dos|das|de",
        lead="(?:qual|quais|o que) (?:é|são|era|eram)",
    ),
    "pl": FunctionWords(
        question="kto|kogo|komu|co|czego|który|która|które|których|kiedy|gdzie|dlaczego|czemu|jak|jaki|jaka|jakie|ile|czy",
        relative="kto|co|który|która|które|których|kiedy|gdzie",
        extent="dużo|często|długo|dokładnie",
        verb="jest|są|był|była|było|można|może|mogą|ma|mają|trzeba",
        subject="to|on|ona|ono|oni|się|ten|ta|te",
        order="opisz|porównaj|wyjaśnij|wymień|podsumuj",
        link="i|oraz|lub|albo|ale|a",
        before="bez|dla|do|na|od|po|pod|przez|w|we|z|za",
        versus="vs\\.?|versus|zamiast|w porównaniu z",
        compare="różnic[aey] (?:między|pomiędzy)|porównaj|porównanie",
        about="do|dla|w|na|z|przy|jako|pod względem",
        of="(?!)",
        lead="(?!)",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Grammar:
    """Compiled patterns of a language."""

    asks: re.Pattern[str]
    """The beginning of a clause that asks something."""
    bare: re.Pattern[str]
    """A question word alone, with its preposition and extent."""
    border: re.Pattern[str]
    """What joins a clause to one that asks: groups `link` and `word`, `verb` or `order`."""
    relative: re.Pattern[str]
    versus: re.Pattern[str]
    """A mark of comparison between two things."""
    compare: re.Pattern[str]
    """The beginning of a list of compared things."""
    link: re.Pattern[str]
    """What separates the things of a list."""
    about: re.Pattern[str]
    """The preposition that begins the scope of a list."""
    of: re.Pattern[str]
    lead: re.Pattern[str]


@cache
def grammar_of(language: str) -> Grammar:
    """The patterns of a language, for texts with single spaces; those of English for a language that is unknown."""
    w = _LANGUAGES.get(language, _ENGLISH)
    asking = rf"(?:(?:{w.before}) )?(?:{w.question})"
    bare = rf"{asking}(?: (?:{w.extent}))?"
    verb = rf"(?:{w.verb}) (?:(?:{w.subject})(?!\w)|(?-i:[A-Z0-9]))"
    border = (
        rf"(?P<link> ?[,;:] ?(?:(?:{w.link}) )?| (?:{w.link}) )"
        rf"(?=(?P<word>{asking}(?!\w))|(?P<verb>{verb})|(?P<order>(?:{w.order}) ))"
    )
    return Grammar(
        asks=re.compile(rf" ?(?:{asking}(?!\w)|{verb}|(?:{w.order}) )", re.I),
        bare=re.compile(rf" ?{bare}(?!\w) ?", re.I),
        border=re.compile(border, re.I),
        relative=re.compile(rf"(?:(?:{w.before}) )?(?:{w.relative})(?!\w)", re.I),
        versus=re.compile(rf" (?:{w.versus}) ", re.I),
        compare=re.compile(rf"(?<!\w)(?:{w.compare}) ", re.I),
        link=re.compile(rf" ?, ?(?:(?:{w.link}) )?| (?:{w.link}|{w.versus}) ", re.I),
        about=re.compile(rf" (?:{w.about}) ", re.I),
        of=re.compile(rf" (?:{w.of}) ", re.I),
        lead=re.compile(rf"(?:{w.lead}|(?:{w.order})) ", re.I),
    )
