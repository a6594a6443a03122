// Shows every time in the reader's zone: how long ago if it is recent, else the day and the hour.
"use strict";
// The page's language in the form of the reader's country: of English, 3 May in Britain and May 3 in the US.
const language = navigator.languages.find((one) => one.split("-")[0] === document.documentElement.lang)
  ?? document.documentElement.lang;
const RECENT_S = 24 * 3600; // a time that is no longer ago is told as how long ago it is
const ZONE_KEPT_S = 31536000; // the cookie with the reader's time zone is kept for a year
const RETOLD_MS = 1_000; // how often the times of a page are told anew
const exact = new Intl.DateTimeFormat(language, {
  year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
});
// The words of a chart, which can hold no <time>: data-told is what the server wrote for data-at.
const chartForms = {
  exact,
  clock: new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", timeZoneName: "short" }),
  day: new Intl.DateTimeFormat(language, { year: "numeric", month: "short", day: "numeric" }),
};
const ago = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

// The server counts what a day has spent by the reader's day.
const zone = `research_ui_zone=${encodeURIComponent(exact.resolvedOptions().timeZone)}`;
if (!document.cookie.split("; ").includes(zone)) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${zone}; path=/ui; max-age=${ZONE_KEPT_S}; samesite=strict${secure}`;
}

function relative(seconds) {
  for (const [unit, size] of [["hour", 3600], ["minute", 60], ["second", 1]]) {
    if (Math.abs(seconds) >= size) return ago.format(Math.trunc(seconds / size), unit);
  }
  return ago.format(0, "second");
}

let isPrinted = false; // on paper "a minute ago" says nothing

function show(element) {
  const time = new Date(element.dateTime);
  if (element.dateTime.length <= 10 || Number.isNaN(time.getTime())) return; // a day has no zone
  const seconds = (time - Date.now()) / 1000;
  const isRecent = Math.abs(seconds) < RECENT_S && !element.hasAttribute("data-exact") && !isPrinted;
  const words = isRecent ? relative(seconds) : exact.format(time);
  if (element.textContent !== words) element.textContent = words;
  element.title = exact.format(time);
}

function showInChart(element) {
  const { at, told, form } = element.dataset;
  const words = chartForms[form ?? "exact"].format(new Date(Number(at)));
  if (element.hasAttribute("aria-label")) {
    element.setAttribute("aria-label", element.getAttribute("aria-label").replace(told, words));
  } else {
    element.textContent = element.textContent.replace(told, words);
  }
  element.removeAttribute("data-told");
}

const showAll = (root) => {
  root.querySelectorAll("time[datetime]").forEach(show);
  root.querySelectorAll("[data-told]").forEach(showInChart);
};
showAll(document);
setInterval(() => { if (!document.hidden) showAll(document); }, RETOLD_MS);
for (const [event, prints] of [["beforeprint", true], ["afterprint", false]]) {
  addEventListener(event, () => { isPrinted = prints; showAll(document); });
}
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) {
    for (const node of addedNodes) {
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      if (node.matches("time[datetime]")) show(node);
      else showAll(node);
    }
  }
}).observe(document.body, { childList: true, subtree: true });

// Of a form that was refused the first field to put right is in focus and in sight, also where the address leads elsewhere.
const wrong = document.querySelector("[aria-invalid=true]");
function showWrong() {
  wrong.focus({ preventScroll: true });
  wrong.scrollIntoView({ block: "center" });
}
if (wrong) {
  showWrong();
  if (location.hash) addEventListener("load", () => setTimeout(showWrong));
}

// A menu closes with Escape and with a click beside it.
const closeMenus = (except) => document.querySelectorAll("details.menu[open]").forEach((menu) => {
  if (menu !== except) menu.open = false;
});
document.addEventListener("click", (event) => closeMenus(event.target.closest("details.menu")));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.querySelector("details.menu[open]");
  if (open) { open.open = false; open.querySelector("summary").focus(); }
});

// Tables whose head has buttons sort by that column; numbers by size, words as the language does.
const order = new Intl.Collator(language, { numeric: true });

// The number that a cell begins with, after a sign of a currency at most: of "$1,049.00" 1049, of "1.049,00 €" the same.
function numberOf(text) {
  const digits = text.match(/^\D{0,4}?(-?\d[\d.,\u00a0\u202f' ]*)/)?.[1].replace(/[^\d.,-]/g, "").replace(/[.,]$/, "");
  if (!digits) return NaN;
  const [, whole, part] = digits.match(/^(.*?)(?:[.,](\d{1,2}|(?<=^-?0[.,])\d+))?$/);
  return Number(`${whole.replace(/[.,]/g, "")}.${part ?? 0}`);
}

function compare(one, other) {
  const difference = numberOf(one) - numberOf(other);
  return Number.isNaN(difference) ? order.compare(one, other) : difference || order.compare(one, other);
}
document.addEventListener("click", (event) => {
  const head = event.target.closest("th button")?.closest("th");
  if (!head) return;
  const place = head.cellIndex, body = head.closest("table").tBodies[0];
  const isUp = head.getAttribute("aria-sort") !== "ascending";
  const value = (row) => row.cells[place]?.dataset.value ?? row.cells[place]?.textContent.trim() ?? "";
  const rows = [...body.rows].sort((one, other) => compare(value(one), value(other)) * (isUp ? 1 : -1));
  head.parentNode.querySelectorAll("th[aria-sort]").forEach((one) => one.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
  body.append(...rows);
});

// Ctrl-Enter (or Cmd-Enter) anywhere in a form with a box that says so sends it.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.form?.querySelector("[data-sends]")) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
});

// A box above a long table keeps the rows in sight that have its words.
document.querySelectorAll("[data-narrows]").forEach((box) => {
  const rows = document.getElementById(box.dataset.narrows).querySelectorAll("tbody tr");
  box.closest("[hidden]").hidden = false;
  box.addEventListener("input", () => {
    const words = box.value.toLowerCase().split(/\s+/);
    rows.forEach((row) => {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    });
  });
});

// Where a part of the page is sent anew, the focus stays on what had it, and folds that were open stay open.
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
let swapped = null;

document.addEventListener("htmx:beforeSwap", ({ detail: { target: box } }) => {
  const focused = document.activeElement, folds = [...box.querySelectorAll("details")];
  const place = box.contains(focused) ? [...box.querySelectorAll(FOCUSABLE)].indexOf(focused) : -1;
  swapped = { place, words: focused.textContent, tag: focused.tagName, open: folds.map((fold) => fold.open) };
});

document.addEventListener("htmx:afterSettle", ({ target: box }) => {
  if (!swapped) return;
  const { place, words, tag, open } = swapped;
  swapped = null;
  const folds = box.querySelectorAll("details");
  if (folds.length === open.length) folds.forEach((fold, n) => { fold.open ||= open[n]; });
  if (place < 0 || document.activeElement !== document.body) return;
  const places = [...box.querySelectorAll(FOCUSABLE)];
  const same = places.filter((one) => one.tagName === tag && one.textContent === words);
  const wanted = same.includes(places[place]) ? places[place] : same[0] ?? places[Math.min(place, places.length - 1)];
  wanted?.focus({ preventScroll: true });
});
