// Wheel, drag, selection, double click, click and touch on the chart.

/** @typedef {object} Actions @property {(from: number, to: number) => void} show another period while the user moves @property {() => void} fit
 * @property {(x: number, y: number, enlarge: boolean) => void} point at a place of the plot in CSS pixels; enlarge: it was clicked
 * @property {() => void} leave */

/** Listens on the chart.
 * @param {import('./chart.js').Chart} chart @param {Actions} actions */
export function listen(chart, actions) {
  const { element } = chart;
  /** @type {Map<number, number>} */
  const fingers = new Map();
  let start = { x: 0, y: 0, from: 0, to: 0, distance: 0, middle: 0 };
  let moved = false;
  let selecting = false;
  /** @type {DOMRect | null} the place of the plot while it is dragged */
  let held = null;
  const place = (/** @type {MouseEvent} */ event) => {
    const over = held ?? /** @type {HTMLElement} */ (chart.plot?.over).getBoundingClientRect();
    return { x: event.clientX - over.left, y: event.clientY - over.top, width: over.width, height: over.height };
  };
  const inside = (/** @type {MouseEvent} */ event) => {
    if (!chart.plot) return false;
    const { x, y, width, height } = place(event);
    return x >= 0 && y >= 0 && x <= width && y <= height;
  };
  const begin = () => {
    const xs = [...fingers.values()];
    const distance = xs.length > 1 ? Math.max(10, Math.abs(xs[0] - xs[1])) : 0;
    start = { ...start, from: chart.from, to: chart.to, distance, middle: xs.reduce((sum, x) => sum + x, 0) / Math.max(1, xs.length) };
  };

  element.addEventListener('wheel', (event) => {
    if (!inside(event)) return;
    event.preventDefault();
    const { x, width } = place(event);
    const span = chart.to - chart.from;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const shift = event.deltaX / width * span;
      chart.hold();
      actions.show(chart.from + shift, chart.to + shift);
    } else {
      const factor = Math.exp(Math.max(-100, Math.min(100, event.deltaY * (event.deltaMode === 1 ? 30 : 1))) * 0.003);
      const at = chart.from + x / width * span;
      actions.show(at - (at - chart.from) * factor, at + (chart.to - at) * factor);
    }
  }, { passive: false });

  element.addEventListener('pointerdown', (event) => {
    if (!inside(event) || event.button !== 0) return;
    const { x, y } = place(event);
    element.setPointerCapture(event.pointerId);
    held = /** @type {HTMLElement} */ (chart.plot?.over).getBoundingClientRect();
    fingers.set(event.pointerId, x);
    moved = fingers.size > 1;
    selecting = event.shiftKey;
    start = { ...start, x, y };
    begin();
    if (!selecting && !moved) chart.hold();
  });

  element.addEventListener('pointermove', (event) => {
    if (!fingers.has(event.pointerId)) {
      if (inside(event)) {
        const { x, y } = place(event);
        actions.point(x, y, false);
      }
      return;
    }
    const { x, width, height } = place(event);
    fingers.set(event.pointerId, x);
    if (!moved && Math.abs(x - start.x) < 4) return;
    moved = true;
    const span = start.to - start.from;
    if (selecting) {
      chart.plot?.setSelect({ left: Math.min(x, start.x), width: Math.abs(x - start.x), top: 0, height }, false);
    } else if (fingers.size > 1) {
      const xs = [...fingers.values()];
      const factor = start.distance / Math.max(10, Math.abs(xs[0] - xs[1]));
      const at = start.from + start.middle / width * span;
      const middle = (xs[0] + xs[1]) / 2 / width;
      actions.show(at - middle * span * factor, at + (1 - middle) * span * factor);
    } else {
      element.classList.add('dragging');
      chart.hold();
      const shift = (start.middle - x) / width * span;
      actions.show(start.from + shift, start.to + shift);
    }
  });

  const end = (/** @type {PointerEvent} */ event) => {
    if (!fingers.delete(event.pointerId)) return;
    element.classList.remove('dragging');
    const { x, y, width } = place(event);
    held = null;
    if (selecting) {
      chart.plot?.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      const span = chart.to - chart.from;
      const [left, right] = [Math.min(x, start.x), Math.max(x, start.x)];
      if (moved && event.type === 'pointerup' && right - left > 4) actions.show(chart.from + left / width * span, chart.from + right / width * span);
    } else if (!moved && event.type === 'pointerup') {
      actions.point(x, y, true);
    }
    begin();
  };
  element.addEventListener('pointerup', end);
  element.addEventListener('pointercancel', end);
  element.addEventListener('pointerleave', () => actions.leave());
  element.addEventListener('dblclick', (event) => { if (inside(event)) actions.fit(); });
}
