// Keeps what is marked as live up to date while something runs, and opens the details of a cell in place.
"use strict";
const EVERY_MS = 4_000, LEAST_MS = 1_000; // how often a page that is live is renewed; the least pause between two times
const REST = 9; // the pause is so many times what the page took the server: what is slow is asked less often
const MOVED = { rows: 2, sums: 1 }; // what has moved since a page was read: its rows, or its sums alone

async function fetched(address) {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok || answer.redirected) return null;
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Where somebody reads with the keyboard nothing is taken away.
async function renew(address = location.href) {
  const fresh = await fetched(address).catch(() => null);
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

// A stream tells when rows, or the sums alone, have moved; of many moves in a moment the page is read once.
function follow(address, sums) {
  const events = new EventSource(address);
  let isBusy = false, stale = 0;
  async function moved(what) {
    stale = Math.max(stale, what);
    if (isBusy || document.hidden) return;
    isBusy = true;
    while (stale) {
      const wanted = stale;
      stale = 0;
      const begun = performance.now();
      await renew(wanted === MOVED.rows ? location.href : sums);
      await new Promise((done) => { setTimeout(done, Math.max(LEAST_MS, REST * (performance.now() - begun))); });
    }
    isBusy = false;
  }
  events.addEventListener("changed", () => moved(MOVED.rows));
  events.addEventListener("counted", () => moved(MOVED.sums));
  document.addEventListener("visibilitychange", () => { if (stale) moved(stale); });
  events.addEventListener("end", () => {
    events.close();
    moved(MOVED.rows);
  });
}

const dialog = document.getElementById("opened");
let opener = null; // the link of the cell that is open
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-opens]");
  if (!link || !dialog || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const fresh = await fetched(link.href).catch(() => null);
  const part = fresh?.getElementById("part");
  if (!part) { location.href = link.href; return; }
  part.querySelectorAll("h1").forEach((head) => head.setAttribute("tabindex", "-1"));
  document.getElementById("opened-part").replaceChildren(part);
  opener = link;
  dialog.showModal();
});

// What is wrong with a value that was typed is told where it was typed.
dialog?.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  event.preventDefault();
  const sent = await fetch(form.action, {
    method: "POST", credentials: "same-origin", headers: { "HX-Request": "true" },
    body: new URLSearchParams(new FormData(form, event.submitter)),
  }).catch(() => null);
  if (sent?.ok && !sent.redirected) {
    const told = new DOMParser().parseFromString(await sent.text(), "text/html").getElementById("part");
    document.getElementById("opened-part").replaceChildren(told);
    told.querySelector("[aria-invalid]")?.focus();
  } else if (sent?.ok) await showKept(sent.url);
  else form.submit();
});

// A cell that was corrected is in focus again, with what it says now.
async function showKept(address) {
  const cell = opener.getAttribute("href");
  dialog.close();
  document.activeElement.blur();
  await renew();
  const link = document.querySelector(`a[data-opens][href="${CSS.escape(cell)}"]`);
  if (link) link.focus();
  else location.href = address;
}

// The fields that a question may have are put into it where its caret stands.
for (const list of document.querySelectorAll("[data-inserts]")) {
  const box = document.getElementById(list.dataset.inserts);
  let wasThere = false;
  box.addEventListener("focus", () => { wasThere = true; });
  for (const code of list.querySelectorAll("code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "chip field-name";
    button.textContent = code.textContent;
    button.addEventListener("click", () => {
      const end = box.value.length;
      const [from, to] = wasThere ? [box.selectionStart, box.selectionEnd] : [end, end];
      const between = from === end && /\S$/.test(box.value) ? " " : "";
      box.setRangeText(between + button.textContent, from, to, "end");
      box.focus();
    });
    code.replaceWith(button);
  }
}

const running = document.querySelector("[data-events]");
if (running) follow(running.dataset.events, running.dataset.sum);
else setTimeout(renewOften, EVERY_MS);
