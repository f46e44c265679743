// The extremes of the curves: pointed at, stepped through, enlarged.

import { byId } from '/page/dom.js';
import { extremes } from '/page/values.js';

export class Marks {
  /** @param {import('./board.js').Board} board @param {(from: number, to: number) => void} show shows another period */
  constructor(board, show) {
    this.board = board;
    this.chart = board.parts.chart;
    this.show = show;
  }

  /** Returns the extremes of all curves in the period, by time. */
  all() {
    const { chart, board: { axes, parts: { sheets } } } = this;
    return axes.flatMap((axis) => axis.names).flatMap((name) => {
      const found = extremes(sheets.list, name, chart.from, chart.to);
      return found ? [found.min, found.max] : [];
    }).filter((each) => each.time > chart.from).sort((a, b) => a.time - b.time);
  }

  /** Marks the extreme at a place of the plot, and enlarges it if it was clicked.
   * @param {number} x in CSS pixels @param {number} y @param {boolean} clicked */
  point(x, y, clicked) {
    const { chart } = this;
    const before = chart.marked;
    chart.marked = this.all().find((each) => {
      const place = chart.placeOf(each);
      return place && Math.hypot(place.x - x, place.y - y) < 12;
    }) ?? null;
    byId('chart').classList.toggle('pointing', chart.marked !== null);
    if (clicked && chart.marked) {
      this.enlarge();
    } else if (clicked) {
      chart.plot?.setCursor({ left: x, top: y });
    } else if (before?.time !== chart.marked?.time) {
      chart.refresh();
    }
  }

  /** Marks the next extreme, and moves the cursor there. */
  next() {
    const { chart, board: { parts: { readings } } } = this;
    const all = this.all();
    const at = chart.marked?.time ?? -Infinity;
    chart.marked = all.find((each) => each.time > at) ?? all[0] ?? null;
    readings.point(chart.marked?.time ?? null);
    chart.refresh();
  }

  /** Shows the surroundings of the marked extreme. */
  enlarge() {
    const { from, to, marked } = this.chart;
    const half = (to - from) / 40;
    if (marked) this.show(marked.time - half, marked.time + half);
  }

  clear() {
    this.chart.marked = null;
    this.chart.refresh();
  }
}
