// Keeps what is marked as live up to date while something runs, and opens the details of a cell in place.
"use strict";
const EVERY_MS = 4_000;

async function fetched(address) {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok || answer.redirected) return null;
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Where somebody reads with the keyboard nothing is taken away.
async function renew() {
  if (!document.querySelector("[data-running]")) return;
  if (!document.hidden) {
    const fresh = await fetched(location.href).catch(() => null);
    for (const part of fresh?.querySelectorAll("[data-live][id]") ?? []) {
      const old = document.getElementById(part.id);
      if (old && old.innerHTML !== part.innerHTML && !old.contains(document.activeElement)) old.replaceWith(part);
    }
  }
  setTimeout(renew, EVERY_MS);
}
setTimeout(renew, EVERY_MS);

const dialog = document.getElementById("opened");
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-opens]");
  if (!link || !dialog || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const fresh = await fetched(link.href).catch(() => null);
  const part = fresh?.getElementById("part");
  if (!part) { location.href = link.href; return; }
  part.querySelectorAll("h1").forEach((head) => head.setAttribute("tabindex", "-1"));
  document.getElementById("opened-part").replaceChildren(part);
  dialog.showModal();
});
