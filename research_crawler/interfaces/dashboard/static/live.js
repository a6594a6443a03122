// Follows a running job: adds lines to its timeline, and loads the page anew when its state changes.
"use strict";
const live = document.getElementById("live");
const put = (id, text) => { document.getElementById(id).textContent = text || "–"; };
const shown = (ms) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

if (live && live.dataset.events) {
  const events = new EventSource(live.dataset.events);
  const known = new Set([...document.querySelectorAll("#timeline li")].map((line) => line.dataset.id));
  events.addEventListener("step", (event) => {
    if (known.has(event.lastEventId)) return;
    known.add(event.lastEventId);
    const step = JSON.parse(event.data);
    const [line, time, action, text] = ["li", "time", "b", "span"].map((name) => document.createElement(name));
    [time.textContent, action.textContent, text.textContent] = [shown(step.at_ms), step.action, step.text];
    text.dir = "auto";
    line.append(time, " ", action, " ", text);
    document.getElementById("timeline").append(line);
  });
  events.addEventListener("status", (event) => {
    const status = JSON.parse(event.data);
    const isAsking = (state) => state === "waiting_for_human";
    if (isAsking(status.state) !== isAsking(live.dataset.state)) location.reload();
    document.querySelector("progress").value = status.progress.fraction;
    put("step", `step ${status.progress.current_step} of ${status.progress.total_steps}`);
    put("state", status.state.replaceAll("_", " "));
    put("action", status.progress.current_action);
    put("waits", status.waits_for.join("; "));
    put("counts", `${status.searches}, ${status.visits}, ${status.findings}`);
  });
  events.addEventListener("end", () => { events.close(); location.reload(); });
}
