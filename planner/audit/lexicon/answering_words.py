"""Words by which a statement tells a property, and by which nobody asks for it: who has to pay, gets nothing free."""

from typing import Final

ANSWERED_BY: Final = {
    "open": (
        "may use, can use, may cross, can cross, peuvent, dürfen, pueden, possono, mogen, welcomes visitors"
        ", receives visitors, öffnet",
        "forbidden, barred, no access, off limits, interdit*, gesperrt, prohibid*, vietat*, verboden, shut down"
        ", boarded up, out of business, closed down, closes for good, zugesperrt",
    ),
    "free": (
        "costs nothing, free of cost, without paying, no charge, no fee, nothing to pay, does not cost, frei"
        ", libre, libera, kostet nichts, ne coûte rien, no cuesta nada, non costa nulla, kost niets"
        ", não custa nada, nic nie kosztuje",
        "pay, paying, pays, buy, price, priced, per month, a month, a year, per person, euros, dollars, pounds"
        ", zahlen, bezahlen, bezahlt, euro, eintrittspreis, payer, paie, pagar, pagare, pagano, betalen, betaal"
        ", zapłacić, płaci",
    ),
    "supported": (
        "active, actively, ongoing, fixes, patches",
        "dead, archived, no patches, no updates, stopped, ceased, end-of-life, given up, gave up",
    ),
    "available": (
        "order, stocked, sells, sell, produced, made",
        "out of stock, used ones, second-hand only, no longer made, no longer sold, no longer produced, last one",
    ),
    "allowed": (
        "free to, may, admits, fine, no objection, all right, darf, dürfen, peut, peuvent, puede*, può, possono"
        ", mag, mogen, pode, podem, można, open to, accepts",
        "ban, verbot*, *verbot, must not, may not, closed to, off limits, off-limits, keep out, stay out"
        ", stay outside, not admitted, leave at home, at home, no entry, not welcome, refused entry, turned away"
        ", punishable, strictly against, against the law, against the rules, dürfen nicht, darf nicht"
        ", müssen draußen bleiben, nicht willkommen, unerwünscht, penalty",
    ),
    "required": (
        "apply for, only with, only members, members only, obliged, obligation, prerequisite, refuses, demands"
        ", insists, penalty, depends on, relies on, nicht ohne, nur mit",
        "anybody, member or not, or not, without asking, without paying, without signing up, ready for use"
        ", out of the box, already, from the start, pre-installed, preinstalled, without registering"
        ", without registration, exempt, exemption, waived, no need, works without, visa-free, nobody has to"
        ", do without, does without, can skip, à volonté, visumfrei, entfällt",
    ),
    "safe": (
        "no danger, no risk, no harm, well tolerated, excellent, fine, bedenkenlos, ohne gefahr, gefahrlos",
        "keep out, stay out, stay away, warn*, warnt, harms, harm, damages, poisoning, fatal, deadly, risk, risks"
        ", tödlich, riskant",
    ),
    "over": (
        "closed, concluded",
        "goes on, rages on, has yet to end, no end",
    ),
    "alive": (
        "lives, turns, celebrates",
        "passed away, buried, killed, widow, widower, estate, burial, funeral, begraben, beigesetzt",
    ),
    "offline": (
        "without reception, no connection needed, no internet needed, no network needed, on the device"
        ", downloaded maps, without a network, ohne internet, ohne netz, im funkloch, offline-modus, sans réseau"
        ", sans internet, sin internet, senza internet, zonder internet, sem internet, bez internetu",
        "needs the internet, needs internet, internet connection, needs a network, network connection"
        ", constant connection, at all times online, connected at all times, streams everything, braucht internet"
        ", internetverbindung, connexion internet, conexión a internet, connessione a internet"
        ", internetverbinding",
    ),
    "enabled": (
        "by default it is on, comes on",
        "must be switched on, has to be enabled, opt-in, opt in",
    ),
    "guilty": (
        "sentenced, jailed, found guilty",
        "cleared, exonerated, overturned",
    ),
    "approved": (
        "green light, signed into law, went through",
        "blocked, vetoed, thrown out, dismissed, veto",
    ),
    "rising": (
        "higher, up by, more than ever, climbed, soared, doubled, increases, raises, steigt",
        "lower, down by, less than, plunged, halved, decreases, lowers, reduces, shrinking, sinkt",
    ),
    "fit": (
        "safe, fine, welcome, allowed, permitted, no problem, stands up to, copes with, handles, perfect, happily"
        ", easily, for both, everybody, everyone, wonderful, open to, safely, can be, works well, recommended"
        ", erlaubt, problemlos, bestens, autorisé*, permis, permitid*, consentit*, toegestaan, permess*",
        "forbidden, prohibited, banned, contraindicated, avoid, never, must not, should not, shouldn't, keep out"
        ", stay away, look elsewhere, out of luck, nothing for, not for, off limits, closed to, by hand only"
        ", only by hand, hand wash only, at home, ruin, ruins, warps, melts, cracks, damages, destroys, corrupt"
        ", corrupts, harms, spoils, useless for, too small for, too weak for, too dangerous, dangerous, unsafe"
        ", penalty, verboten, untersagt, niemals, vermeiden, nichts für, interdit*, déconseillé*, jamais, prohibid*"
        ", desaconsejad*, nunca, vietat*, sconsigliat*, verboden, afgeraden, proibid*, zabronion*, zakazan*",
    ),
    "has": (
        "comes with, come with, features, equipped with, fitted with, built-in, offers, supports, provides"
        ", ships with, includes, boasts, works with, runs on, turn on, enable, verfügt über, mit eingebaut*"
        ", unterstützt, bietet, dispose de, offre, possède, incluye, dispone di, biedt, oferece, oferuje",
        "lacks, lack, lacking, dropped, drops, omits, omitted, missing, ditched, gave up, given up, gone, absent"
        ", removed, out of luck, unsupported, leaves out, left out, does without, do without, fehlt, fehlen"
        ", verzichtet, weggefallen, manque, supprimé*, dépourvu*, carece, falta, eliminad*, manca, privo, priva"
        ", ontbreekt, ontbreken, brak",
    ),
    "still": (
        "remains, remain, continues, continue, keeps, actively, active, in production, in stock, in use, ongoing"
        ", running, opens, lives, alive, regularly, every day, daily, nowadays, now as before, bleibt, weiter"
        ", täglich, reste, continúa, continua, blijft, pozostaje",
        "discontinued, abandoned, closed, shut, gave up, given up, ceased, ended, stopped, shut down, defunct"
        ", dead, died, demolished, retired, withdrawn, cancelled, scrapped, dissolved, bankrupt, gone, former"
        ", formerly, until recently, once was, for good, last of, eingestellt, geschlossen, aufgegeben"
        ", stillgelegt, abgeschafft, gestorben, fermé*, abandonné*, cessé, supprimé*, cerrad*, abandonad*"
        ", dejó de, chius*, abbandonat*, cessat*, gesloten, gestopt, opgeheven, encerrad*, fechad*, zamknięt*"
        ", zlikwidowan*",
    ),
    "vegan": (
        "",
        "butter, milk, cream, egg, eggs, honey, meat, bacon, beef, pork, chicken, fish, lard, gelatine, gelatin"
        ", cheese, whey, animal, milch, sahne, eier, honig, fleisch, speck, beurre, lait, crème, oeufs, miel"
        ", viande, mantequilla, leche, huevo*, carne, burro, latte, uova, boter, melk, vlees, manteiga, leite"
        ", masło, mleko, mięso",
    ),
    "waterproof": (
        "survived an hour, survives water, keeps the water out, keeps water out, keeps out the rain, under water",
        "leaks, leaky, soaked, lets water in, let water in, let in water, water got in, undicht",
    ),
    "quiet": (
        "whisper*, hardly hear, barely hear, inaudible",
        "din, racket, roars, earplugs, drowns out",
    ),
    "genuine": (
        "original",
        "copy, staged, invented, made up",
    ),
    "accessible": (
        "ramp, lift, level access, without steps, wheelchair users can",
        "steps only, no lift, no ramp, stairs, steep steps",
    ),
    "included": (
        "comes with, part of the price, in the price, in the box, im preis, im lieferumfang",
        "extra, separately, additional cost, not part of, gegen aufpreis, muss man kaufen",
    ),
    "replaceable": (
        "can be replaced, can be swapped, can be exchanged, change it yourself, without tools, slides out",
        "cannot be replaced, welded, sealed, throw away, no way to replace",
    ),
    "encrypted": (
        "encrypts, end-to-end",
        "anyone can read, readable for everyone, legible",
    ),
    "standing": (
        "survived, can be visited, still there",
        "gave way to, made way for, collapsed, nothing is left, nothing remains, ruins, bulldozed, wich",
    ),
    "independent": (
        "owns itself, owned by its founders, family-owned",
        "bought by, sold to, belongs, parent company, parent",
    ),
    "reversible": (
        "restore, restored, bring back, brought back, get back, undo, wiederherstellen",
        "cannot be undone, for good, no way back, lost forever, for ever, unwiderruflich",
    ),
    "poisonous": (
        "deadly, fatal, poison",
        "eaten, tasty, delicacy",
    ),
    "wireless": (
        "bluetooth, wi-fi, wifi, over the air",
        "cable, cord, plugged in",
    ),
    "public": (
        "anyone can, everybody can, open to everyone",
        "members only, by invitation, invitation only, residents only",
    ),
    "manual": (
        "yourself",
        "by itself, on its own",
    ),
    "completed": (
        "done, ready, ended",
        "never finished, left behind, breaks off, abandoned, fragment",
    ),
    "refundable": (
        "get back, repaid, reimbursed",
        "no refund, no refunds, money is lost, no money back, keine erstattung",
    ),
    "cancelled": (
        "will not take place, does not take place",
        "as planned, on schedule, wie geplant",
    ),
    "successful": (
        "managed, achieved, worked",
        "crashed, exploded, had to give up, gave up, aborted, lost contact",
    ),
    "effective": (
        "helps, works, relieves, protects, reduces, hilft",
        "no effect, no better than, does nothing, placebo, does not help, wirkt nicht",
    ),
    "proven": (
        "evidence shows, shown",
        "no evidence, no proof, myth, hoax",
    ),
    "solved": (
        "convicted, caught, culprit",
        "mystery, remains unknown, never found, puzzle",
    ),
    "mutable": (
        "can be changed, be modified, in place",
        "cannot be changed, never changes, frozen",
    ),
    "ordered": (
        "keeps the order, preserves the order, in order, remembers the order",
        "does not keep, no order, no guarantee of order, any order",
    ),
    "persistent": (
        "written to disk, kept on disk, stays, kept across restarts",
        "gone after, forgets, in memory",
    ),
    "multi_threaded": (
        "several cores, all cores, threads",
        "one core, one thread, a single core, a single thread",
    ),
    "inhabited": (
        "live there, residents, inhabitants",
        "nobody lives, ghost town, abandoned",
    ),
    "curable": (
        "healed, recover",
        "no cure, lifelong, for life",
    ),
    "thread_safe": (
        "share between threads, shared between threads, without locking, without any locking, several threads",
        "external locking, own lock, race condition, data race",
    ),
    "retired": (
        "ended her career, ended his career, gave up her career, last match",
        "continues to play, keeps playing, active",
    ),
    "drinkable": (
        "drink straight, from the tap, clean enough",
        "unfit, contaminated, polluted, boil, boiled",
    ),
    "winning": (
        "came first, elected, triumphed, took the title, gold medal, majority",
        "runner-up, came second, conceded, knocked out",
    ),
    "reusable": (
        "used again, use again, several times, many times, again and again",
        "only once, thrown away, throw away",
    ),
    "dairy": (
        "butter, cream, cheese, whey, yoghurt, sahne, rahm",
        "vegan, plant-based, plant based",
    ),
    "lit": (
        "lamps, lights, lanterns, electric light, lampen",
        "torch, torches, pitch dark, dark, headlamp, taschenlampe",
    ),
    "covered": (
        "roof",
        "no roof, without a roof, open to the sky",
    ),
    "bookable": (
        "in advance, online, by phone, vorher",
        "on the spot, just turn up, walk in",
    ),
}  # fmt: skip
"""By the name of a pair of opposites, what tells the first of them, and what tells the second."""
