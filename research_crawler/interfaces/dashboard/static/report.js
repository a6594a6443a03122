// Makes the tables of a report sortable, and shows a quote where the stored page opened beside it.
"use strict";
const LEAST_ROWS = 2, LEAST_COLUMNS = 3; // a table with less cannot be sorted: with two columns, it tells the facts of one thing
for (const table of document.querySelectorAll("article table")) {
  const rows = table.tBodies[0]?.rows ?? [];
  if (rows.length < LEAST_ROWS || rows[0].cells.length < LEAST_COLUMNS) continue;
  for (const head of table.querySelectorAll("th")) {
    if (!head.textContent.trim()) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
  }
}
document.addEventListener("htmx:afterSwap", (event) => {
  const box = event.target.querySelector(".stored"), mark = box?.querySelector("mark");
  if (!mark) return;
  mark.removeAttribute("id"); // the page has several notes
  const scrolls = box.closest("[popover]") ?? box;
  if (scrolls === box) box.scrollIntoView({ block: "nearest" });
  scrolls.scrollTop += mark.getBoundingClientRect().top - scrolls.getBoundingClientRect().top - scrolls.clientHeight / 3;
});
// A mark opens its quotes beside the sentence; without this script it leads to a page of them.
const note = document.getElementById("note");
const known = new Map();

async function quotesOf(mark) {
  const address = new URL(mark.href);
  address.searchParams.set("piece", "true");
  if (!known.has(address.href)) {
    const answer = await fetch(address, { credentials: "same-origin" });
    if (!answer.ok || answer.redirected) return null;
    known.set(address.href, await answer.text());
  }
  return known.get(address.href);
}

function closeButton() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "close";
  button.textContent = note.dataset.close;
  button.addEventListener("click", () => note.hidePopover());
  return button;
}

document.addEventListener("click", async (event) => {
  const mark = event.target.closest("a.cite, a[data-note]");
  if (!mark || !note || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const html = await quotesOf(mark).catch(() => null);
  if (!html) { location.href = mark.href; return; }
  note.innerHTML = html; // rendered by the server, where every text of others is escaped
  note.prepend(closeButton());
  htmx.process(note);
  document.querySelectorAll("[data-marked]").forEach((one) => {
    one.removeAttribute("data-marked");
    one.style.removeProperty("anchor-name");
  });
  mark.setAttribute("data-marked", "");
  mark.style.setProperty("anchor-name", "--mark");
  mark.focus({ preventScroll: true }); // where the focus comes back to when the note closes
  note.style.setProperty("--under", `${document.querySelector(".tools")?.getBoundingClientRect().bottom ?? 0}px`);
  note.showPopover();
  note.scrollTop = 0;
  const [own, its] = [note.getBoundingClientRect(), mark.getBoundingClientRect()];
  if (own.left < its.right) window.scrollBy(0, Math.max(0, its.bottom + 12 - own.top)); // it would cover the sentence
  note.focus({ preventScroll: true });
});
