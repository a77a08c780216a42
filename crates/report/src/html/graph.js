// The graph of an exploration: a tree of abstract states. An activation of a function, or a loop, that is closed is one
// box; so are, in a large graph, states that follow each other without a branch.

// A graph with more states than this is shown closed at first.
const MANY = 300;

// In a graph with more states than this, states that follow each other are one box even if all is expanded.
const TOO_MANY = 20000;

// A box is wide enough for this many characters of the label above it.
const MOST_ABOVE = 28;

class Graph {
  constructor(frame, graph, goTo) {
    this.graph = graph;
    this.goTo = goTo;
    frame.querySelector(".pick").hidden = true;
    this.withCut = false;
    this.offerCut(frame);
    this.group();
    this.closed = new Set();
    this.isJoined = graph.nodes.length > MANY;
    if (this.isJoined) this.closeAll();
    this.drawing = new Drawing(frame, this);
    const told = [
      counted(graph.size, "state"), `${graph.covered} covered`, `${graph.open} open`, counted(graph.targets, "target"),
      `${graph.cut_off} cut off by refinements`,
    ];
    if (graph.nodes.length < graph.size) told.push(`${graph.nodes.length} are drawn`);
    frame.querySelector(".tools").after(element("p", told.join(", "), { class: "hint" }));
    this.show();
  }

  // What refinements have cut off is shown where it is asked for.
  offerCut(frame) {
    if (!this.graph.nodes.some((node) => node.status === "cut off")) return;
    const label = element("label", "Show what was cut off");
    const box = element("input", undefined, { type: "checkbox" });
    box.addEventListener("change", () => {
      this.withCut = box.checked;
      this.show();
    });
    label.prepend(box);
    frame.querySelector(".tools").append(label);
  }

  // The groups: each time that a path enters a scope begins one, and it lasts until the path leaves the scope. So each is a
  // connected part of the tree, and with some of them closed the drawing is still a tree.
  group() {
    const { nodes, places, scopes } = this.graph;
    const depth = scopes.map((scope) => 0);
    scopes.forEach((scope, at) => { depth[at] = scope.parent === undefined ? 0 : depth[scope.parent] + 1; });
    this.groups = [];
    this.groupOf = new Int32Array(nodes.length);
    this.children = nodes.map(() => []);
    nodes.forEach((node, at) => {
      const scope = places[node.place].scope;
      let group = node.parent === undefined ? -1 : this.groupOf[node.parent];
      if (node.parent !== undefined) this.children[node.parent].push(at);
      // Leave what the path has left.
      while (group >= 0 && !isWithin(scopes, depth, scope, this.groups[group].scope)) group = this.groups[group].parent;
      // Enter what it has entered, the outer scopes first.
      const entered = [];
      const around = group < 0 ? undefined : this.groups[group].scope;
      for (let next = scope; next !== undefined && next !== around; next = scopes[next].parent) entered.push(next);
      for (const next of entered.reverse()) {
        this.groups.push({ scope: next, parent: group, size: 0, errors: 0, open: 0, first: at });
        group = this.groups.length - 1;
      }
      this.groupOf[at] = group;
    });
    // Parents of groups come first, so that sums can be taken backwards.
    nodes.forEach((node, at) => {
      const group = this.groups[this.groupOf[at]];
      group.size++;
      if (node.status === "error" || node.status === "unmodelled") group.errors++;
      if (node.status === "open") group.open++;
    });
    for (let at = this.groups.length - 1; at >= 0; at--) {
      const group = this.groups[at];
      if (group.parent < 0) continue;
      const around = this.groups[group.parent];
      around.size += group.size;
      around.errors += group.errors;
      around.open += group.open;
    }
    // The way to the first error.
    this.onPath = new Uint8Array(nodes.length);
    for (let at = nodes.findIndex((node) => node.status === "error"); at >= 0 && at !== undefined; at = nodes[at].parent) {
      this.onPath[at] = 1;
    }
  }

  // Everything inside of the first function of the source is closed.
  closeAll() {
    const { scopes } = this.graph;
    const isSetUp = (group) => scopes[group.scope].name.startsWith("@");
    const isOpen = (group) => group.parent < 0 || (isSetUp(this.groups[group.parent]) && this.groups[group.parent].parent < 0);
    this.closed = new Set();
    this.groups.forEach((group, at) => { if (!isOpen(group)) this.closed.add(at); });
  }

  // The outermost closed group of each group, or -1.
  outermost() {
    const found = new Int32Array(this.groups.length);
    this.groups.forEach((group, at) => {
      const around = group.parent < 0 ? -1 : found[group.parent];
      found[at] = around >= 0 ? around : this.closed.has(at) ? at : -1;
    });
    return found;
  }

  show(key) {
    const { nodes } = this.graph;
    const closed = this.outermost();
    const boxes = [];
    const links = [];
    const boxOf = new Int32Array(nodes.length);
    const boxOfGroup = new Map();
    nodes.forEach((node, at) => {
      // Whatever was found from a node that is cut off is cut off, too.
      if (node.status === "cut off" && !this.withCut) return;
      const group = closed[this.groupOf[at]];
      const above = node.parent === undefined ? -1 : boxOf[node.parent];
      if (group >= 0) {
        if (!boxOfGroup.has(group)) {
          boxOfGroup.set(group, boxes.length);
          boxes.push(this.groupBox(group));
          if (above >= 0) links.push({ from: above, to: boxes.length - 1, label: this.step(node), isOnPath: this.onPath[at] });
        }
        boxOf[at] = boxOfGroup.get(group);
        if (this.onPath[at]) boxes[boxOf[at]].kind = "error";
        return;
      }
      if (this.follows(at)) {
        boxes[above].nodes.push(at);
        boxOf[at] = above;
        return;
      }
      boxOf[at] = boxes.length;
      boxes.push({ key: `n${at}`, nodes: [at], kind: node.status || "plain", title: "", lines: [] });
      if (above >= 0) links.push({ from: above, to: boxOf[at], label: this.step(node), isOnPath: this.onPath[at] });
    });
    for (const box of boxes) if (box.nodes) this.fill(box);
    boxes.forEach(measure);
    // Room for the beginning of the label above a box.
    for (const { to, label } of links) boxes[to].w = Math.max(boxes[to].w, Math.min(label.length, MOST_ABOVE) * CHARACTER);
    const children = boxes.map(() => []);
    const isRoot = new Uint8Array(boxes.length).fill(1);
    for (const link of links) {
      children[link.from].push(link.to);
      isRoot[link.to] = 0;
    }
    layTree(boxes, children, [...boxes.keys()].filter((at) => isRoot[at]));
    const have = new Set();
    nodes.forEach((node, at) => {
      if (node.covered_by === undefined || boxOf[at] === boxOf[node.covered_by]) return;
      const name = `${boxOf[at]} ${boxOf[node.covered_by]}`;
      if (have.has(name)) return;
      have.add(name);
      links.push({ from: boxOf[at], to: boxOf[node.covered_by], kind: "cover" });
    });
    this.boxOf = boxOf;
    this.drawing.show({ boxes, links }, key);
  }

  // Whether a node is in the box of the one before it, where their group is open.
  follows(at) {
    const { parent, status } = this.graph.nodes[at];
    return this.isJoined && parent !== undefined && status === undefined && this.shownChildren(parent) === 1
      && this.groupOf[parent] === this.groupOf[at];
  }

  shownChildren(at) {
    const isShown = (child) => this.withCut || this.graph.nodes[child].status !== "cut off";
    return this.children[at].filter(isShown).length;
  }

  step(node) {
    return node.step === undefined ? "" : this.graph.steps[node.step];
  }

  place(at) {
    return this.graph.places[this.graph.nodes[at].place].text;
  }

  fill(box) {
    const first = box.nodes[0];
    const last = box.nodes[box.nodes.length - 1];
    const count = box.nodes.length > 1 ? ` (${box.nodes.length} states)` : "";
    box.title = `${first}: ${this.place(first)}${count}`;
    const { state = [] } = this.graph.nodes[last];
    box.lines = box.nodes.length > 1 ? [`to ${last}: ${this.place(last)}`, ...state.slice(0, 4)] : state.slice(0, 5);
    if (state.length > 5) box.lines.push(`… ${state.length - 5} more`);
  }

  groupBox(group) {
    const { scope, size, errors, open } = this.groups[group];
    const lines = [counted(size, "state")];
    if (errors > 0) lines.push(counted(errors, "target"));
    if (open > 0) lines.push(`${open} open`);
    return { key: `g${group}`, kind: "group", title: this.graph.scopes[scope].name, lines };
  }

  toggle(key) {
    const number = Number(key.slice(1));
    const group = key[0] === "g" ? number : this.groupOf[number];
    const wasClosed = this.closed.has(group);
    if (wasClosed) this.closed.delete(group); else this.closed.add(group);
    const after = wasClosed ? `n${this.groups[group].first}` : `g${group}`;
    this.show();
    const at = this.drawing.boxes.findIndex((box) => box.key === after);
    const near = at >= 0 ? at : this.boxOf[this.groups[group].first];
    this.drawing.choose(near);
  }

  setAll(isOpen) {
    this.isJoined = !isOpen || this.graph.nodes.length > TOO_MANY;
    if (isOpen) this.closed = new Set(); else this.closeAll();
    this.show();
  }

  // The boxes with a word: those in closed groups, too, and those of the groups. Each is told by a node, and the group that it
  // stands for.
  find(word) {
    const { nodes } = this.graph;
    const isIn = (text) => text.toLowerCase().includes(word);
    const places = this.graph.places.map((place) => isIn(`${place.text} ${place.location}`));
    const steps = this.graph.steps.map(isIn);
    const isFound = (at) => {
      const node = nodes[at];
      return places[node.place] || steps[node.step] || isIn(node.status || "") || isIn(`${at}: ${this.place(at)}`)
        || (node.state || []).some(isIn);
    };
    const found = [];
    for (const { key } of this.drawing.boxes) {
      if (key[0] !== "g") continue;
      const group = Number(key.slice(1));
      const { title, lines } = this.groupBox(group);
      if ([title, ...lines].some(isIn)) found.push({ node: this.groups[group].first, group });
    }
    const boxes = [];
    const boxOf = new Int32Array(nodes.length);
    nodes.forEach((node, at) => {
      if (node.status === "cut off" && !this.withCut) return;
      if (this.follows(at)) {
        boxOf[at] = boxOf[node.parent];
        boxes[boxOf[at]].nodes.push(at);
      } else {
        boxOf[at] = boxes.length;
        boxes.push({ nodes: [at] });
      }
    });
    for (const box of boxes) {
      this.fill(box);
      const node = box.nodes.find(isFound);
      if (node !== undefined) found.push({ node });
      else if ([box.title, ...box.lines].some(isIn)) found.push({ node: box.nodes[0] });
    }
    return found.sort((one, other) => one.node - other.node);
  }

  reveal({ node: at, group: wanted }) {
    // A group may have been expanded since.
    const shown = this.drawing.boxes[this.boxOf[at]];
    if (wanted !== undefined && shown?.key === `g${wanted}`) return shown.key;
    let changed = false;
    for (let group = this.groupOf[at]; group >= 0; group = this.groups[group].parent) {
      changed = this.closed.delete(group) || changed;
    }
    if (changed) this.show();
    return this.drawing.boxes[this.boxOf[at]].key;
  }

  describe(key, wanted = {}) {
    const number = Number(key.slice(1));
    if (key[0] === "g") {
      const { scope, size, errors, open } = this.groups[number];
      return [
        element("h3", this.graph.scopes[scope].name),
        element("p", `${counted(size, "state")}, ${counted(errors, "target")}, ${open} open.`),
        button("Expand", () => this.toggle(key)),
      ];
    }
    const box = this.drawing.boxes[this.boxOf[number]];
    const parts = [element("h3", box.title)];
    const { scope } = this.groups[this.groupOf[number]];
    parts.push(button(`Collapse ${this.graph.scopes[scope].name}`, () => this.toggle(key)));
    for (const at of box.nodes.slice(0, 60)) {
      const node = this.graph.nodes[at];
      const part = element("details");
      part.open = at === wanted.node || box.nodes.length <= 3;
      part.append(element("summary", `${at}: ${this.place(at)}${node.status ? `, ${node.status}` : ""}`));
      if (node.step !== undefined) part.append(element("p", `by ${this.step(node)}`));
      if (node.covered_by !== undefined) {
        part.append(button(`Covered by ${node.covered_by}`, () => this.go(node.covered_by)));
      }
      if (node.state) {
        const list = element("ul");
        node.state.forEach((line) => list.append(element("li", line)));
        part.append(list);
      }
      parts.push(part);
    }
    if (box.nodes.length > 60) parts.push(element("p", `… ${box.nodes.length - 60} more`));
    return parts;
  }

  go(at) {
    const key = this.reveal({ node: at });
    this.drawing.choose(this.drawing.boxes.findIndex((box) => box.key === key));
  }
}

// Whether a scope is another one or inside of it.
function isWithin(scopes, depth, inner, outer) {
  let at = inner;
  while (at !== undefined && depth[at] > depth[outer]) at = scopes[at].parent;
  return at === outer;
}
