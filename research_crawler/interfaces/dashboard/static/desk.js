// Keeps what is marked as live up to date while something runs, and opens the details of a cell in place.
"use strict";
const EVERY_MS = 4_000, LEAST_MS = 1_000;

async function fetched(address) {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok || answer.redirected) return null;
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Where somebody reads with the keyboard nothing is taken away.
async function renew() {
  const fresh = await fetched(location.href).catch(() => null);
  for (const part of fresh?.querySelectorAll("[data-live][id]") ?? []) {
    const old = document.getElementById(part.id);
    if (old && old.innerHTML !== part.innerHTML && !old.contains(document.activeElement)) old.replaceWith(part);
  }
}

async function renewOften() {
  if (!document.querySelector("[data-running]")) return;
  if (!document.hidden) await renew();
  setTimeout(renewOften, EVERY_MS);
}

// A stream tells when rows have moved; of many moves in a moment the page is read once.
function follow(address) {
  const events = new EventSource(address);
  let isBusy = false, isStale = false;
  async function moved() {
    isStale = true;
    if (isBusy || document.hidden) return;
    isBusy = true;
    while (isStale) {
      isStale = false;
      await renew();
      await new Promise((done) => { setTimeout(done, LEAST_MS); });
    }
    isBusy = false;
  }
  events.addEventListener("changed", moved);
  document.addEventListener("visibilitychange", () => { if (isStale) moved(); });
  events.addEventListener("end", () => {
    events.close();
    if (dialog?.open) moved();
    else location.reload();
  });
}

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

const running = document.querySelector("[data-events]");
if (running) follow(running.dataset.events);
else setTimeout(renewOften, EVERY_MS);
