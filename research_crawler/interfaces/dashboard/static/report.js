// Makes the tables of a report sortable, and shows a quote where the stored page opened beside it.
"use strict";
for (const table of document.querySelectorAll("article table")) {
  if ((table.tBodies[0]?.rows.length ?? 0) < 2) continue;
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
  box.scrollTop += mark.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
});
// A link inside a note closes it, so that what it leads to is seen.
document.addEventListener("click", (event) => {
  const note = event.target.closest("[popover] a[href^='#']")?.closest("[popover]");
  if (note) note.hidePopover();
});
