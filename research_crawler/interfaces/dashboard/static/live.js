// Follows a running job over one stream: parts of the page that have changed are replaced, steps join the timeline.
// A stream that breaks is taken up again after the last step that came (Last-Event-ID).
"use strict";
const live = document.getElementById("live");
const AGAIN_MS = 3000; // after this the stream of a job is opened again, where the server has refused it

function replaceParts(parts) {
  for (const [id, html] of Object.entries(parts)) {
    const part = document.getElementById(id);
    if (!part || part.lastHtml === html) continue;
    const open = [...part.querySelectorAll("details")].map((fold) => fold.open);
    const places = [...part.querySelectorAll("a, summary")];
    const focused = places.indexOf(document.activeElement);
    part.lastHtml = html;
    part.innerHTML = html; // rendered by the server, where every text of others is escaped
    part.querySelectorAll("details").forEach((fold, place) => { fold.open = open[place] ?? false; });
    if (focused >= 0) part.querySelectorAll("a, summary")[focused]?.focus();
  }
}

function follow() {
  const events = new EventSource(live.dataset.events);
  const timeline = document.getElementById("timeline"), lost = document.getElementById("lost");
  const known = new Set([...timeline.children].map((line) => line.dataset.id));
  events.addEventListener("open", () => { lost.hidden = true; });
  events.addEventListener("error", () => {
    lost.hidden = false;
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN_MS); // a server that restarts refuses
  });
  events.addEventListener("step", (event) => {
    if (known.has(event.lastEventId)) return;
    known.add(event.lastEventId);
    timeline.insertAdjacentHTML("beforeend", JSON.parse(event.data).html);
  });
  events.addEventListener("view", (event) => {
    const { state, parts } = JSON.parse(event.data);
    const isAsking = (one) => one === "waiting_for_human";
    if (isAsking(state) !== isAsking(live.dataset.state)) location.reload();
    live.dataset.state = state;
    replaceParts(parts);
  });
  events.addEventListener("end", (event) => {
    events.close();
    if (JSON.parse(event.data).state === "completed") location.replace(live.dataset.report);
    else location.reload();
  });
}

if (live?.dataset.events) follow();
