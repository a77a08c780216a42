// Stepping through an execution: the list of its steps, the line of the source, and the values so far.

class Steps {
  constructor(player, paths) {
    this.player = player;
    this.paths = paths;
    this.list = player.querySelector("#steps");
    this.values = player.querySelector("#values");
    this.where = player.querySelector("#where");
    this.pick = player.querySelector("#path");
    player.hidden = false;
    paths.forEach((path, at) => this.pick.append(element("option", path.name, { value: at })));
    this.pick.parentElement.hidden = paths.length < 2;
    this.pick.addEventListener("change", () => this.open(Number(this.pick.value)));
    player.addEventListener("click", (event) => {
      const { go } = event.target.dataset;
      if (go) this.go(go);
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
    this.list.replaceChildren(...this.path.steps.map((step, at) => this.row(step, at)));
    this.at = -1;
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
    row.append(element("span", step.line === null ? "" : String(step.line), { class: "number" }));
    row.append(element("code", step.code));
    if (step.values.length > 0) {
      row.append(element("span", step.values.map((value) => value.text).join(", "), { class: "changes" }));
    }
    return row;
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
    this.where.textContent = `Step ${at + 1} of ${steps.length}${step.line === null ? "" : `, line ${step.line}`}${told ? `: ${told}` : ""}`;
    this.showValues(at);
    this.mark(step, isShown);
  }

  mark(step, isShown) {
    for (const line of document.querySelectorAll(".line.now")) line.classList.remove("now");
    if (step.line === null || step.file === null) return;
    const line = document.getElementById(`f${step.file}-${step.line}`);
    if (!line) return;
    line.classList.add("now");
    if (isShown) line.scrollIntoView({ block: "center", behavior: "instant" });
  }

  showValues(at) {
    const state = this.states(at);
    const { values: changes } = this.path.steps[at];
    const isChanged = (title, name) => changes.some(
      (value) => value.name === name && Boolean(value.argument) === title.startsWith("Parameters"),
    );
    const parts = [];
    for (const [title, values] of state) {
      if (values.size === 0) continue;
      const table = element("table");
      table.append(element("caption", title));
      for (const [name, value] of values) {
        const row = element("tr", undefined, isChanged(title, name) ? { class: "changed" } : {});
        row.append(element("th", name, { scope: "row" }), element("td", value));
        table.append(row);
      }
      parts.push(table);
    }
    if (this.path.inputs) {
      parts.push(element("h4", "Inputs"), element("pre", this.path.inputs));
    }
    if (parts.length === 0) parts.push(element("p", "No values yet.", { class: "hint" }));
    this.values.replaceChildren(...parts);
  }
}

const isPlain = (name) => /^\w+$/.test(name);
// `q->v[i]` has the words q, v and i.
const wordsOf = (name) => name.match(/[A-Za-z_]\w*/g) || [];
// `a[0]` and `a.x` are parts of `a`.
const isPart = (part, whole) => part.startsWith(whole) && /^(\.|\[|->)/.test(part.slice(whole.length));
// The object that a name or the text of a pointer begins with: `a` of `a[1]` and of `&a[1]`.
const objectOf = (text) => /^&?(heap#\d+|[A-Za-z_]\w*)/.exec(text)?.[1];

// Drops what may not hold any more when a value is written: rows have names, and an object may have several of them.
function forget(state, frame, written) {
  const held = (name) => frame?.get(name) ?? state.globals.get(name) ?? "";
  const isThrough = (name) => /\*|->/.test(name)
    || (!isPlain(name) && /^(&|heap#|NULL)/.test(held(wordsOf(name)[0] ?? "")));
  // Through one pointer, of which it is known where it points: `*p`, `p->x`, `p[1]`.
  const pointer = /^\*(\w+)$/.exec(written) || /^(\w+)(?:->|\[)[^*>]*$/.exec(written);
  const target = pointer && /^(&|heap#)/.test(held(pointer[1])) ? objectOf(held(pointer[1])) : undefined;
  const isStale = (name) => {
    if (name === written) return false;
    if (isPart(name, written) || isPart(written, name)) return true;
    if (isPlain(written) && !isPlain(name) && wordsOf(name).includes(written)) return true;
    // What is read through a pointer may be what was written, under another name.
    if (!isPlain(written) && isThrough(name)) return true;
    return isThrough(written) && (target === undefined || objectOf(name) === target);
  };
  for (const table of [state.globals, ...state.frames]) {
    for (const name of [...table.keys()]) if (isStale(name)) table.delete(name);
  }
}

// The values that are known at a step: of globals, and of the function where control is. They are computed from the
// beginning, or from the nearest step whose values are kept.
function statesOf(steps) {
  const kept = new Map();
  const EVERY = 200;
  const copy = (state) => {
    const globals = new Map(state.globals);
    const frames = state.frames.map((frame) => new Map(frame));
    const tables = new Map([[state.globals, globals], ...state.frames.map((frame, at) => [frame, frames[at]])]);
    const passing = state.passing.filter(([table]) => tables.has(table));
    return { globals, frames, passing: passing.map(([table, name]) => [tables.get(table), name]) };
  };
  const take = (state, step) => {
    // A name of several variables may mean another one after the step.
    for (const [table, name] of state.passing.splice(0)) table.delete(name);
    if (step.folded) return;
    state.frames.length = Math.min(state.frames.length, step.depth + 1);
    while (state.frames.length <= step.depth) state.frames.push(new Map());
    for (const value of step.values) {
      if (!value.name) continue;
      // Parameters belong to the function that is called.
      if (value.argument && state.frames.length === step.depth + 1) state.frames.push(new Map());
      const at = step.depth + (value.argument ? 1 : 0);
      const place = value.global ? state.globals : state.frames[at];
      forget(state, state.frames[at], value.name);
      place.set(value.name, value.value);
      if (value.ambiguous) state.passing.push([place, value.name]);
    }
  };
  return (at) => {
    let from = at - (at % EVERY);
    while (from > 0 && !kept.has(from)) from -= EVERY;
    const state = from > 0 ? copy(kept.get(from)) : { globals: new Map(), frames: [], passing: [] };
    for (let next = from; next <= at; next++) {
      if (next > 0 && next % EVERY === 0 && !kept.has(next)) kept.set(next, copy(state));
      take(state, steps[next]);
    }
    const { depth } = steps[at];
    const [here, called] = [state.frames[depth] || new Map(), state.frames[depth + 1] || new Map()];
    return [["Here", here], ["Parameters of the call", called], ["Globals", state.globals]];
  };
}
