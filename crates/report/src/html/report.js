// The tabs of the page, and what brings its parts together.

const data = JSON.parse(document.getElementById("data").textContent);
const links = [...document.querySelectorAll("#tabs a")];
const sections = links.map((link) => document.querySelector(link.getAttribute("href")));
const started = new Set();
const lines = new Lines();
let steps;

function openSection(id, isMoved = true) {
  sections.forEach((section, at) => {
    const isOpen = section.id === id;
    section.hidden = !isOpen;
    links[at].setAttribute("aria-selected", String(isOpen));
    links[at].tabIndex = isOpen ? 0 : -1;
  });
  if (isMoved) window.scrollTo(0, 0);
  if (started.has(id)) return;
  started.add(id);
  // Drawings are made when somebody looks at them.
  const frame = document.getElementById(`draw-${id}`);
  if (!frame) return;
  frame.hidden = false;
  if (id === "automaton") new Automaton(frame, data.model, goToLine);
  if (id === "graph") new Graph(frame, data.graph, goToLine);
}

function goToLine(file, line) {
  const index = data.files.indexOf(file);
  location.hash = `#f${index}-${line}`;
}

// A fragment names a part, or something in a part.
function follow() {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id === "" ? null : lines.target(id);
  const section = target && target.closest("section");
  if (!section) return openSection(sections[0].id, false);
  openSection(section.id, target === section);
  if (target === section) return undefined;
  for (const line of document.querySelectorAll(".here")) line.classList.remove("here");
  target.classList.add("here");
  // Whoever reads on with keys begins there.
  if (target.hasAttribute("tabindex")) target.focus({ preventScroll: true });
  return lines.look(target);
}

document.body.classList.add("live");
const list = document.getElementById("tabs");
list.setAttribute("role", "tablist");
links.forEach((link, at) => {
  link.parentElement.setAttribute("role", "presentation");
  link.setAttribute("role", "tab");
  link.setAttribute("aria-controls", sections[at].id);
  sections[at].setAttribute("role", "tabpanel");
  sections[at].tabIndex = -1;
});
// A link to a part would take the focus away from its tab. With keys it stays there, and arrows go to the next tab; after a
// click with the mouse they are for the part that is shown.
list.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  const id = link.getAttribute("href").slice(1);
  openSection(id);
  if (event.detail > 0) document.getElementById(id).focus({ preventScroll: true });
});
list.addEventListener("keydown", (event) => {
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!way) return;
  event.preventDefault();
  event.stopPropagation();
  const at = links.indexOf(document.activeElement);
  const next = links[(at + way + links.length) % links.length];
  next.focus();
  next.click();
});
document.addEventListener("click", (event) => {
  const walk = event.target.closest(".walk");
  if (!walk || !steps) return;
  const number = data.paths.findIndex((path) => path.id === walk.dataset.path);
  if (number < 0) return;
  // Without an event for the new fragment, which would come after the first step is shown and bring the top of the page back.
  history.pushState(null, "", "#source");
  openSection("source");
  steps.open(number);
});
const player = document.getElementById("player");
if (player && data.paths.length > 0) steps = new Steps(player, data.paths, data.files, lines);
for (const walk of document.querySelectorAll(".walk")) {
  walk.hidden = !steps || !data.paths.some((path) => path.id === walk.dataset.path);
}
// On paper nothing can be unfolded.
window.addEventListener("beforeprint", () => {
  lines.spreadAll();
  for (const part of document.querySelectorAll("details")) part.open = true;
});
window.addEventListener("hashchange", follow);
window.addEventListener("popstate", follow);
follow();
document.documentElement.dataset.ready = "true";
