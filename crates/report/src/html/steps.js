// Stepping through an execution: the list of its steps, the line of the source, and the values so far.

class Steps {
  constructor(player, paths, files, lines) {
    this.player = player;
    this.lines = lines;
    this.paths = paths;
    this.files = files;
    this.list = player.querySelector("#steps");
    this.values = player.querySelector("#values");
    this.where = player.querySelector("#where");
    this.pick = player.querySelector("#path");
    player.hidden = false;
    paths.forEach((path, at) => this.pick.append(element("option", path.name, { value: at })));
    this.pick.parentElement.hidden = paths.length < 2;
    this.pick.addEventListener("change", () => this.open(Number(this.pick.value)));
    player.addEventListener("click", (event) => {
      const button = event.target.closest("[data-go]");
      if (button) this.go(button.dataset.go);
    });
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("li[data-step]");
      if (row) this.show(Number(row.dataset.step));
    });
    document.addEventListener("keydown", (event) => this.key(event));
    this.open(0, false);
  }

  open(number, isShown = true) {
    this.pick.value = String(number);
    this.path = this.paths[number];
    this.states = statesOf(this.path.steps);
    const places = this.path.steps.map((step) => this.place(step).join("").length);
    this.list.style.setProperty("--place", `${Math.max(0, ...places)}ch`);
    this.list.replaceChildren(...this.path.steps.map((step, at) => this.row(step, at)));
    this.at = -1;
    this.values.scrollTop = 0;
    this.show(0, isShown);
  }

  row(step, at) {
    const row = element("li");
    row.style.setProperty("--depth", String(Math.min(step.depth, 12)));
    if (step.folded) {
      row.className = "folded";
      row.append(element("span", step.code));
      return row;
    }
    row.dataset.step = String(at);
    const number = element("span", undefined, { class: "number" });
    number.append(...this.placed(step));
    const done = element("span", undefined, { class: "done" });
    done.append(element("code", step.code));
    if (step.values.length > 0) {
      done.append(element("span", step.values.map((value) => value.text).join(", "), { class: "changes" }));
    }
    row.append(number, done);
    return row;
  }

  // The name of the file of a step if the program has several, and its line.
  place(step) {
    if (step.line === null) return ["", ""];
    const name = this.files.length > 1 && step.file !== null ? this.files[step.file] : undefined;
    return name === undefined ? ["", String(step.line)] : [name.slice(name.lastIndexOf("/") + 1), `:${step.line}`];
  }

  // The same to be shown: a name may be broken, a number may not.
  placed(step) {
    const [name, line] = this.place(step);
    return [name, element("span", line, { class: "whole" })];
  }

  // Goes to a step; what is left out is passed over.
  go(where) {
    const { steps } = this.path;
    const next = { first: 0, last: steps.length - 1, back: this.at - 1, on: this.at + 1 }[where];
    const way = where === "back" || where === "last" ? -1 : 1;
    for (let at = next; at >= 0 && at < steps.length; at += way) {
      if (!steps[at].folded) return this.show(at);
    }
    return undefined;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || this.player.offsetParent === null) return;
    if (event.target.closest("input, select, textarea, canvas")) return;
    const keys = { ArrowLeft: "back", ArrowRight: "on", p: "back", n: "on", Home: "first", End: "last" };
    const where = keys[event.key];
    if (!where) return;
    event.preventDefault();
    this.go(where);
  }

  show(at, isShown = true) {
    const { steps } = this.path;
    this.at = at;
    for (const row of this.list.querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
    const row = this.list.children[at];
    if (row) {
      row.setAttribute("aria-current", "step");
      const top = row.offsetTop - this.list.clientHeight / 2;
      this.list.scrollTop = Math.max(0, top);
    }
    const step = steps[at];
    if (!step) return;
    const told = step.values.map((value) => value.text).join(", ");
    // What is left out is no step.
    const shown = (list) => list.filter((other) => !other.folded).length;
    const words = element("span", `Step ${shown(steps.slice(0, at + 1))} of ${shown(steps)}`);
    if (step.line !== null) words.append(this.files.length > 1 ? ", " : ", line ", ...this.placed(step));
    if (told) words.append(`: ${told}`);
    this.where.replaceChildren(words);
    this.showValues(at);
    this.mark(step, isShown);
  }

  mark(step, isShown) {
    for (const line of document.querySelectorAll(".line.now")) line.classList.remove("now");
    if (step.line === null || step.file === null) return;
    const line = this.lines.row(step.file, step.line);
    if (!line) return;
    line.classList.add("now");
    if (isShown) this.lines.look(line);
  }

  showValues(at) {
    const { known } = this.path.steps[at];
    const parts = [];
    for (const [title, activation, values] of this.states(at)) {
      if (values.size === 0) continue;
      const table = element("table");
      table.append(element("caption", title));
      for (const [name, value] of values) {
        const isChanged = known.some((it) => it.name === name && (it.activation ?? null) === activation);
        const row = element("tr", undefined, isChanged ? { class: "changed" } : {});
        row.append(element("th", name, { scope: "row" }), element("td", value));
        table.append(row);
      }
      parts.push(table);
    }
    if (this.path.inputs) {
      parts.push(element("h3", "Inputs"), element("pre", this.path.inputs));
    }
    if (parts.length === 0) parts.push(element("p", "No values yet.", { class: "hint" }));
    this.values.replaceChildren(...parts);
    const changed = this.values.querySelector(".changed");
    if (!changed) return;
    // What has changed is to be seen, without moving the page: all of the row with some room below it, or, of a row that is
    // higher than the panel, its name and the beginning of its value. A first row is seen with the title of its table.
    const [panel, row] = [this.values.getBoundingClientRect(), changed.getBoundingClientRect()];
    const first = changed.matches("caption + tr") ? changed.parentElement : changed;
    const above = first.getBoundingClientRect().top - panel.top;
    const below = row.bottom + row.height - panel.bottom;
    if (above < 0 || row.bottom > panel.bottom) this.values.scrollTop += Math.min(above, below);
  }
}

// The values that are known at a step: of the function where control is, of the parameters of one that is called, and of what
// exists besides functions. Each step says what it has changed; the values are computed from the beginning, or from the
// nearest step whose values are kept.
function statesOf(steps) {
  const kept = new Map();
  const EVERY = 200;
  const copy = (state) => new Map([...state].map(([activation, values]) => [activation, new Map(values)]));
  const take = (state, step) => {
    for (const { activation = null, name, value } of step.known ?? []) {
      if (!state.has(activation)) state.set(activation, new Map());
      if (value === undefined) state.get(activation).delete(name);
      else state.get(activation).set(name, value);
    }
  };
  return (at) => {
    let from = at - (at % EVERY);
    while (from > 0 && !kept.has(from)) from -= EVERY;
    const state = from > 0 ? copy(kept.get(from)) : new Map();
    for (let next = from; next <= at; next++) {
      if (next > 0 && next % EVERY === 0 && !kept.has(next)) kept.set(next, copy(state));
      take(state, steps[next]);
    }
    const { activation: here = null, known = [] } = steps[at];
    const called = known.map((it) => it.activation ?? null).find((it) => it !== null && it !== here);
    const values = (activation) => state.get(activation) ?? new Map();
    const lasting = [...values(null)];
    const isBlock = ([name]) => name.startsWith("heap#");
    return [
      ["Here", here, here === null ? new Map() : values(here)],
      ["Parameters of the call", called, called === undefined ? new Map() : values(called)],
      ["Globals", null, new Map(lasting.filter((it) => !isBlock(it)))],
      ["Heap", null, new Map(lasting.filter(isBlock))],
    ];
  };
}
