// Where boxes of a drawing stand. Both functions set `x` and `y` of boxes that have `w` and `h`.

const GAP_X = 24;
const GAP_Y = 60;

// A tree: a box below its parent, in the middle above its children. `children` lists, for each box, the numbers of
// those below it; parents come before their children.
function layTree(boxes, children, roots) {
  const depth = new Int32Array(boxes.length);
  const heights = [];
  // The width of a box with all that is below it, and of what is below it alone.
  const whole = new Float64Array(boxes.length);
  const below = new Float64Array(boxes.length);
  for (let at = 0; at < boxes.length; at++) {
    heights[depth[at]] = Math.max(heights[depth[at]] || 0, boxes[at].h);
    for (const child of children[at]) depth[child] = depth[at] + 1;
  }
  const tops = [0];
  for (let level = 0; level < heights.length; level++) tops.push(tops[level] + heights[level] + GAP_Y);
  for (let at = boxes.length - 1; at >= 0; at--) {
    for (const child of children[at]) below[at] += whole[child] + GAP_X;
    below[at] = Math.max(0, below[at] - GAP_X);
    whole[at] = Math.max(boxes[at].w, below[at]);
  }
  const left = new Float64Array(boxes.length);
  let right = 0;
  for (const root of roots) {
    left[root] = right;
    right += whole[root] + GAP_X;
  }
  for (let at = 0; at < boxes.length; at++) {
    boxes[at].y = tops[depth[at]];
    boxes[at].x = left[at] + (whole[at] - boxes[at].w) / 2;
    let next = left[at] + (whole[at] - below[at]) / 2;
    for (const child of children[at]) {
      left[child] = next;
      next += whole[child] + GAP_X;
    }
  }
}

// A graph with a first box, in layers (Sugiyama, Tagawa & Toda 1981): each link leads downwards, but for those that
// close a circle. A link gets the places that it bends at.
function layLayers(boxes, links) {
  const count = boxes.length;
  if (count === 0) return;
  const out = boxes.map(() => []);
  links.forEach((link, at) => out[link.from].push(at));
  turnBack(count, links, out);
  const layer = longestWays(count, links);
  const points = boxes.map((box, at) => ({ w: box.w, h: box.h, layer: layer[at], up: [], down: [] }));
  for (const link of links) {
    const [from, to] = link.back ? [link.to, link.from] : [link.from, link.to];
    link.bends = [];
    if (from === to) continue;
    let last = from;
    for (let level = layer[from] + 1; level < layer[to]; level++) {
      points.push({ w: 8, h: 0, layer: level, up: [], down: [] });
      join(points, last, points.length - 1);
      last = points.length - 1;
      link.bends.push(last);
    }
    join(points, last, to);
  }
  const layers = [];
  points.forEach((point, at) => (layers[point.layer] = layers[point.layer] || []).push(at));
  arrange(points, layers);
  spread(points, layers);
  let top = 0;
  for (const list of layers) {
    const height = Math.max(...list.map((at) => points[at].h));
    for (const at of list) points[at].y = top;
    top += height + GAP_Y;
  }
  boxes.forEach((box, at) => { box.x = points[at].x; box.y = points[at].y; });
  for (const link of links) {
    link.bends = link.bends.map((at) => ({ x: points[at].x + 4, y: points[at].y }));
    if (link.back) link.bends.reverse();
  }
}

function join(points, from, to) {
  points[from].down.push(to);
  points[to].up.push(from);
}

// Marks the links that close circles.
function turnBack(count, links, out) {
  const state = new Uint8Array(count);
  for (let start = 0; start < count; start++) {
    if (state[start]) continue;
    const todo = [[start, 0]];
    state[start] = 1;
    while (todo.length > 0) {
      const top = todo[todo.length - 1];
      const [at, next] = top;
      if (next === out[at].length) {
        state[at] = 2;
        todo.pop();
        continue;
      }
      top[1]++;
      const link = links[out[at][next]];
      link.back = state[link.to] === 1;
      if (state[link.to] === 0) {
        state[link.to] = 1;
        todo.push([link.to, 0]);
      }
    }
  }
}

// The layer of each box: as many as the longest way to it has links.
function longestWays(count, links) {
  const layer = new Int32Array(count);
  const missing = new Int32Array(count);
  const next = Array.from({ length: count }, () => []);
  for (const link of links) {
    const [from, to] = link.back ? [link.to, link.from] : [link.from, link.to];
    if (from === to) continue;
    next[from].push(to);
    missing[to]++;
  }
  const todo = [];
  for (let at = 0; at < count; at++) if (missing[at] === 0) todo.push(at);
  while (todo.length > 0) {
    const at = todo.pop();
    for (const to of next[at]) {
      layer[to] = Math.max(layer[to], layer[at] + 1);
      if (--missing[to] === 0) todo.push(to);
    }
  }
  return layer;
}

// Puts the points of each layer in an order with few crossings, by the middles of their neighbours.
function arrange(points, layers) {
  const number = (list) => list.forEach((at, place) => { points[at].place = place; });
  layers.forEach(number);
  for (let round = 0; round < 8; round++) {
    const down = round % 2 === 0;
    const order = down ? layers : [...layers].reverse();
    for (const list of order) {
      for (const at of list) {
        const near = down ? points[at].up : points[at].down;
        const sum = near.reduce((all, other) => all + points[other].place, 0);
        points[at].middle = near.length > 0 ? sum / near.length : points[at].place;
      }
      list.sort((one, other) => points[one].middle - points[other].middle || points[one].place - points[other].place);
      number(list);
    }
  }
}

// Places the points of each layer side by side, near the middles of their neighbours.
function spread(points, layers) {
  for (const list of layers) {
    let right = 0;
    for (const at of list) {
      points[at].x = right;
      right += points[at].w + GAP_X;
    }
  }
  const middle = (at) => points[at].x + points[at].w / 2;
  for (let round = 0; round < 6; round++) {
    const down = round % 2 === 0;
    const order = down ? layers : [...layers].reverse();
    for (const list of order) {
      const wanted = list.map((at) => {
        const near = down ? points[at].up : points[at].down;
        if (near.length === 0) return points[at].x;
        return near.reduce((all, other) => all + middle(other), 0) / near.length - points[at].w / 2;
      });
      // From the left and from the right, and the mean of both, which keeps them apart, too.
      const left = [];
      list.forEach((at, place) => {
        const before = list[place - 1];
        const least = place === 0 ? -Infinity : left[place - 1] + points[before].w + GAP_X;
        left.push(Math.max(wanted[place], least));
      });
      const right = [];
      for (let place = list.length - 1; place >= 0; place--) {
        const most = place === list.length - 1 ? Infinity : right[place + 1] - points[list[place]].w - GAP_X;
        right[place] = Math.min(wanted[place], most);
      }
      list.forEach((at, place) => { points[at].x = (left[place] + right[place]) / 2; });
    }
  }
}
