"use strict";
(() => {
  const svg = document.getElementById("graph");
  const whole = svg.viewBox.baseVal;
  let box = { x: 0, y: 0, w: Math.min(whole.width, 1400), h: Math.min(whole.height, 900) };
  const show = () => svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.w} ${box.h}`);
  const scale = (by, x, y) => {
    box.x += (box.w - box.w * by) * x;
    box.y += (box.h - box.h * by) * y;
    box.w *= by;
    box.h *= by;
    show();
  };
  show();
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = svg.getBoundingClientRect();
    const x = (event.clientX - at.left) / at.width;
    const y = (event.clientY - at.top) / at.height;
    scale(event.deltaY > 0 ? 1.2 : 1 / 1.2, x, y);
  }, { passive: false });
  let from = null;
  svg.addEventListener("pointerdown", (event) => {
    from = { x: event.clientX, y: event.clientY };
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!from) return;
    const at = svg.getBoundingClientRect();
    const unit = Math.max(box.w / at.width, box.h / at.height);
    box.x -= (event.clientX - from.x) * unit;
    box.y -= (event.clientY - from.y) * unit;
    from = { x: event.clientX, y: event.clientY };
    show();
  });
  svg.addEventListener("pointerup", () => { from = null; });
  svg.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const move = moves[event.key];
    if (move) {
      box.x += move[0] * box.w * 0.1;
      box.y += move[1] * box.h * 0.1;
      show();
    } else if (event.key === "+") scale(1 / 1.2, 0.5, 0.5);
    else if (event.key === "-") scale(1.2, 0.5, 0.5);
    else return;
    event.preventDefault();
  });
  document.getElementById("cut").addEventListener("change", (event) => {
    svg.classList.toggle("with-cut", event.target.checked);
  });
  const search = document.getElementById("search");
  const told = document.getElementById("found");
  let next = 0;
  const find = () => {
    const word = search.value.trim();
    const found = [];
    for (const node of svg.querySelectorAll(".node")) {
      const is = word !== "" && node.textContent.includes(word);
      node.classList.toggle("found", is);
      if (is) found.push(node);
    }
    told.textContent = word === "" ? "" : `${found.length} nodes`;
    return found;
  };
  search.addEventListener("input", () => { next = 0; find(); });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const found = find();
    if (found.length === 0) return;
    const node = found[next++ % found.length];
    box.x = Number(node.dataset.x) - box.w / 2 + 125;
    box.y = Number(node.dataset.y) - box.h / 2;
    show();
  });
})();
