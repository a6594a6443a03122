"""Write answer, certainty, key findings, table and journey without a model, from the findings themselves."""

from collections.abc import Sequence
from typing import Final

from babel import Locale

from planner.brains.extractive.answering.digest import Digest, digest_of
from planner.brains.extractive.answering.layout import Item, excerpt_sentences
from planner.brains.extractive.answering.leading_figure import led_by_figure
from planner.brains.extractive.answering.sides import Sides, sides_of
from planner.brains.extractive.nearness import excerpt_in_context, similarity_index
from planner.brains.question_and_outline import question_to_answer
from planner.evidence.contradictions import contradictions, replaced_findings
from planner.evidence.evidence_statements import EvidenceStatement, evidence_statements
from planner.evidence.parsed_sentence import is_same_fact
from planner.goal.intent import priorities
from planner.goal.product_kind import product_kind_of
from planner.goal.report_language import detected_language
from planner.offers.recommended_products import named_products
from planner.outline.making import leaf_texts
from planner.outline.parts import added_clauses, question_parts
from planner.reports.writer_view import quoted_from
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.outline import Outline
from research_crawler.core.models.reports.drafts import (
    TABLE_ID,
    DraftCell,
    DraftRow,
    DraftSection,
    DraftTable,
    ReportDraft,
    ReportView,
    Sentence,
)
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import host_of, slot_of
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.sentences import quotable_pieces
from research_crawler.text.languages.statements import is_personal
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.likeness import in_common
from research_crawler.text.offers.purchase import says
from research_crawler.text.writing.messages import Messages

MEDIUM_CERTAINTY_MIN_COSINE: Final = 0.6
"""Cosine of the nearest finding from which an answer is of medium certainty, where the words are known too."""
MEDIUM_CERTAINTY_MIN_WORDS: Final = 0.7
"""Share of the question's words that stand in any finding, by rarity, from which it is. Of 33 answers about manuals and
Wikipedia that were held back, the 22 above both had 0.82 of the facts and the others 0.39; by a cosine of 0.7 alone, 19
had 0.71 and the others 0.62. Of 27 on the small web, 17 had 0.91 and the others 0.83; by that cosine, 13 had 0.87 and
the others 0.89."""
FOUND_MIN_FIT: Final = 0.3
"""Fit of an excerpt with a sub-question from which the report does not call that one not found. Of 109 questions and
parts about manuals and the small web that have an answer, none has less than 0.32 in what was read for it; of 651 of
other questions, 577 have. That more words of one lack ("What are the drawbacks?") says little: it has 0.36."""
OF_A_SIDE: Final = 1
"""Most excerpts about one side of a comparison alone."""
OF_BOTH: Final = 2
"""Statements of a side alone and of both in the table."""
MOST_LEADING: Final = 2
"""Most hosts whose sentences about the most recommended product stand first."""
MOST_KEY: Final = 6
"""Most key findings of a report."""
SAME_STATEMENT_MIN_WORD_SHARE, MOST_SOURCES_OF_SENTENCE = 0.7, 4
"""Share of the words of two hosts' statements, all told, that both have, from which they are compared, and most of them
that are cited for one sentence."""
LEAST_OF_BEST: Final = 0.6
"""Least nearness of a sentence, as a share of the nearest one's."""


async def write_answer(view: ReportView, embedder: Embedder) -> ReportDraft:
    """A report draft in the words of the pages: everything in it is a quote, or counted by code."""
    view = quoted_from(view)
    if view.intent == "commerce" and not view.outline.is_given:
        # What an offer needs ("what it should cost") is no part of the question.
        view = view.changed(outline=Outline())
    draft = await _draft(view, embedder)
    if view.intent == "commerce" and not draft.not_found:
        draft = draft.changed(answer=led_by(recommending(view), draft.answer))
    return draft.changed(journey=journey(view, draft))


async def _draft(view: ReportView, embedder: Embedder) -> ReportDraft:
    question = question_to_answer(view.goal, view.task)
    if language := other_language(question, view.findings):
        titles = dict.fromkeys(one.title or host_of(one.url) for one in view.findings)
        nearest = {item.finding.url: item for item in reversed((await digest_of(view, embedder)).items)}
        return ReportDraft(
            by="extractive",
            not_found="; ".join(list(titles)[:3]),
            why_not=_why_not(question, language, view),
            sections=_nearest_excerpts(list(nearest.values())[::-1][:3], view.language),
        )
    # Code alone calls too much different to show it, but what a newer page replaces may stand behind.
    outdated = replaced_findings(contradictions(question, view.findings))
    found = await digest_of(view, embedder, outdated=outdated)
    if found.not_found or not found.items:
        return ReportDraft(
            by="extractive",
            not_found=found.not_found,
            sections=_nearest_excerpts(found.items, view.language),
            lists={"key_findings": []},
        )
    stated = await evidence_statements(question, view.findings, embedder)
    questions = [leaf.question for leaf in found.parts]
    asked = leaf_texts(view.outline.leaves) if len(view.outline.leaves) > 1 else [question]
    indexes = {item.index for item in found.items}
    key = key_findings([one for one in stated if one.index in indexes])
    is_low = is_of_low_certainty(view, found)
    return ReportDraft(
        by="extractive",
        answer=excerpt_sentences(await led_by_figure(asked, found.items, embedder), questions, view.language),
        certainty=certainty_of(view, found, key, is_low=is_low),
        is_doubtful=is_low,
        answered=await near_parts(view, found.items, embedder),
        lists={"key_findings": key},
        sections=_compared(question, stated, view.language),
    )


async def near_parts(view: ReportView, items: Sequence[Item], embedder: Embedder) -> list[str]:
    """The sub-questions to which something comes near that is shown: of them nothing says that it was not found."""
    if view.outline.is_given:
        return []  # who wrote the sub-questions is told of each that has no evidence of its own
    leaves = view.outline.leaves
    if len(leaves) < 2:
        return []
    texts = leaf_texts(leaves)
    index = await similarity_index(
        [item.finding for item in items], question_to_answer(view.goal, view.task), embedder
    )
    return [
        leaf.question
        for leaf, text, vector in zip(leaves, texts, await embedder.embed(texts), strict=True)
        if max(one.fit for one in index.similarities_to(text, vector)) >= FOUND_MIN_FIT
    ]


def _nearest_excerpts(items: Sequence[Item], language: str) -> list[DraftSection]:
    """What comes nearest to a question that the pages do not answer: who asked may see it, and which words to use."""
    if not items:
        return []
    sentences = excerpt_sentences(items, [], language)
    return [DraftSection(id="nearest", title=Messages(language)("nearest_excerpts"), sentences=sentences)]


def other_language(question: str, findings: Sequence[Finding]) -> str:
    """The language of the findings, if a question is in another one than English and none of them is in its own.

    The packaged model knows English, and words alone compare only texts of one language. Empty where nothing tells.
    """
    own = detected_language(question)
    if own == "en":
        return ""
    told = [language for one in findings if (language := detected_language(one.quote))]
    return max(set(told), key=told.count) if own and told and own not in told else ""


def _why_not(question: str, found: str, view: ReportView) -> str:
    """Why there is no answer without a model, and how to get one."""
    translate = Messages(view.language)
    names = Locale(translate.language).languages
    return translate("other_language", asked=names[detected_language(question)], found=names[found])


def is_of_low_certainty(view: ReportView, found: Digest) -> bool:
    """Whether little speaks for it that the excerpts answer the question: nothing is near to it, words of it stand in
    nothing that was read, or most of its parts have no evidence."""
    parts, covered = _parts_covered(found)
    return (
        found.nearest < MEDIUM_CERTAINTY_MIN_COSINE
        or found.known < MEDIUM_CERTAINTY_MIN_WORDS
        or 2 * covered < parts
        or lacks_what_is_added(view, found)
    )


def _parts_covered(found: Digest) -> tuple[int, int]:
    """How many parts the question has, and how many of them have evidence."""
    return (len(found.parts), sum(bool(leaf.evidence) for leaf in found.parts)) if found.parts else (1, 1)


def certainty_of(view: ReportView, found: Digest, key: Sequence[Sentence], *, is_low: bool) -> str:
    """What the answer is, and how far it can be relied on.

    It is never highly certain: no reader has seen whether the excerpts answer the question.
    """
    translate = Messages(view.language)
    cited = {view.findings[item.index].url for item in found.items}
    pages, hosts = len(cited), len({host_of(url) for url in cited})
    parts, covered = _parts_covered(found)
    agreed = sum(bool(sentence.similar) for sentence in key)
    level = "low" if is_low else "medium"
    counted = [
        translate("digest_parts", covered=covered, parts=parts) if parts > 1 else "",
        translate("digest_agreed", agreed=agreed, n=len(key)) if agreed else "",
    ]
    more = "".join(f" {line}" for line in counted if line)
    return translate(
        "certainty_digest", level=translate(f"certainty_{level}"), pages=pages, hosts=hosts, more=more
    )


def lacks_what_is_added(view: ReportView, found: Digest) -> bool:
    """Whether what stands first has no word of something that the question adds, which it may contradict.

    For "undo a commit but keep the changes" that is how to undo one and lose them.
    """
    question, first = question_to_answer(view.goal, view.task), found.items[0].finding
    language = detect(question)
    words = frozenset(terms(excerpt_in_context(first.title, first.heading, first.claim), language))
    if view.added and words.isdisjoint(view.added):
        return True
    added = (
        clause for part in question_parts(question, language) for clause in added_clauses(part, language)
    )
    wanted = (frozenset(terms(clause, language)) for clause in added)
    return any(len(of_clause) > 1 and not of_clause & words for of_clause in wanted)


def _compared(question: str, statements: Sequence[EvidenceStatement], language: str) -> list[DraftSection]:
    """The table of an answer that compares two things."""
    sides = sides_of(question)
    table = comparison_table(sides, statements, Messages(language)) if sides else None
    return [DraftSection(id=TABLE_ID, title="", table=table)] if table else []


def journey(view: ReportView, draft: ReportDraft) -> str:
    """One short paragraph: the searches, the pages read, the page that the answer begins with, and how the research
    ended."""
    translate = Messages(view.language)
    queries = f" {translate('and')} ".join(translate("quoted", text=search.query) for search in view.searches)
    results = sum(search.results for search in view.searches)
    read = [visit for visit in view.visited if visit.outcome == "ok"]
    unread = len(view.visited) - len(read)
    count = max(len(read), view.pages_read)
    known = [visit.final_url or visit.url for visit in read]
    if count > len(read):  # the record has dropped visits; what they found is left
        known += [finding.url for finding in view.findings]
    hosts = len({slot_of(url) for url in known})
    first = next((view.findings[index].url for one in draft.answer for index in one.evidence), "")
    useful = next((visit for visit in read if first in (visit.final_url, visit.url)), None) if first else None
    parts = [
        translate("step_searched", queries=queries, n=results) if queries else translate("step_unsearched"),
        translate("step_read", n=count, hosts=hosts)
        + (translate("step_unread", n=unread) if unread else "")
        + ".",
    ]
    if useful and useful.findings:
        parts.append(
            translate(
                "step_useful",
                title=useful.title or useful.url,
                host=translate("own_file")
                if useful.origin == "file"
                else slot_of(useful.final_url or useful.url),
                n=useful.findings,
            )
        )
    if view.done_reason:
        reason = view.done_reason.rstrip(".")
        parts.append(translate("step_ended", reason=f"{reason[:1].upper()}{reason[1:]}"))
    return " ".join(parts)


def comparison_table(
    sides: Sides, statements: Sequence[EvidenceStatement], translate: Messages
) -> DraftTable | None:
    """What pages say of each side alone, those nearest to the question; None unless both are told of."""
    labels = {
        (True, True): f"{sides.one}, {sides.other}",
        (True, False): sides.one,
        (False, True): sides.other,
    }
    rows: dict[tuple[bool, bool], list[DraftRow]] = {side: [] for side in labels}
    least = LEAST_OF_BEST * statements[0].nearness if statements else 0.0
    for statement in (each for each in statements if each.nearness >= least):
        side = sides.of(frozenset(terms(statement.text, statement.parsed.language)))
        if side in rows and len(rows[side]) < (OF_BOTH if all(side) else OF_A_SIDE):
            cell = DraftCell(text=statement.text, evidence=[statement.index])
            rows[side].append(DraftRow(label=labels[side], cells=[cell]))
    ordered = [row for of_side in rows.values() for row in of_side]
    is_whole = rows[True, True] or (rows[True, False] and rows[False, True])
    return (
        DraftTable(columns=["", translate("said_column")], rows=ordered)
        if is_whole and len(ordered) > 1
        else None
    )


def recommending(view: ReportView) -> list[Sentence]:
    """The sentences that recommend the product which most hosts do, one a host; none if the goal asks for no best one.

    A question about a named product ("How loud is …") is answered by what is asked, and not by a recommendation.
    """
    if not priorities(view.goal):
        return []
    named = named_products(product_kind_of(view.goal, view.language), view.findings)
    by_host: dict[str, Sentence] = {}
    for index in named[0].indexes if named else ():
        finding = view.findings[index]
        text = _praising(finding, named[0].name)
        if text and host_of(finding.url) not in by_host:
            speaker = host_of(finding.url) if is_personal(text) else ""
            by_host[host_of(finding.url)] = Sentence(text=text, evidence=[index], speaker=speaker)
    return list(by_host.values())[:MOST_LEADING]


def led_by(leading: Sequence[Sentence], answer: Sequence[Sentence]) -> list[Sentence]:
    """An answer with these sentences first, and none of them twice."""
    known = {sentence.text for sentence in leading}
    return [*leading, *(sentence for sentence in answer if sentence.text not in known)]


def _praising(finding: Finding, name: str) -> str:
    """The sentence of a finding that names the product and recommends it; empty if there is none."""
    wanted = set(terms(name))
    sentences = (piece.text for piece in quotable_pieces(finding.quote) if not piece.leans)
    told = (text for text in sentences if wanted <= set(terms(text)) and _recommends(text))
    return next(told, "")


def _recommends(text: str) -> bool:
    return says("praise", text) or says("advice", text)


def key_findings(statements: Sequence[EvidenceStatement]) -> list[Sentence]:
    """The first statements that each say something new.

    Args:
        statements: those of what may be shown, those nearest to the question first.
    """
    chosen: list[EvidenceStatement] = []
    for statement in statements:
        is_near = statement.nearness >= LEAST_OF_BEST * statements[0].nearness
        if is_near and not any(is_same_fact(statement.parsed, other.parsed) for other in chosen):
            chosen.append(statement)
    return [
        Sentence(
            text=statement.text,
            evidence=[statement.index],
            similar=_said_again(statement, statements),
            speaker=host_of(statement.finding.url) if is_personal(statement.text) else "",
        )
        for statement in chosen[:MOST_KEY]
    ]


def _said_again(statement: EvidenceStatement, statements: Sequence[EvidenceStatement]) -> list[int]:
    """The findings of other hosts that state the same, one a host."""
    by_host: dict[str, int] = {}
    for further in statements:
        is_alike = (
            further.host != statement.host
            and in_common(statement.parsed.words, further.parsed.words) >= SAME_STATEMENT_MIN_WORD_SHARE
        )
        if is_alike and is_same_fact(statement.parsed, further.parsed):
            by_host.setdefault(further.host, further.index)
    return list(by_host.values())[:MOST_SOURCES_OF_SENTENCE]
