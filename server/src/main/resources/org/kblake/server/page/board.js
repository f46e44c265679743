// The board: the chart with its axes and the strips below it, drawn from what is loaded.

import { axesOf } from '/page/axes.js';
import { byId } from '/page/dom.js';
import { tellEmpty, tellIncomplete } from '/page/missing.js';
import { PRESETS } from '/page/time.js';
import { kindOf, traceOf } from '/page/values.js';

/** The parts of the page that have a state.
 * @typedef {object} Parts @property {import('./view.js').ViewState} view @property {import('./archive.js').Archive} archive
 * @property {import('./chart.js').Chart} chart @property {import('./sheets.js').Sheets} sheets
 * @property {import('./coverage.js').CoverageStrip} strip @property {import('./overview.js').Overview} overview
 * @property {import('./rail.js').Rail} rail @property {import('./readings.js').Readings} readings */

export class Board {
  /** @param {Parts} parts @param {(from: number, to: number) => void} show shows another period */
  constructor(parts, show) {
    this.parts = parts;
    this.show = show;
    /** @type {import('./axes.js').Axis[]} */
    this.axes = [];
    /** @type {string | null} */
    this.focused = null;
    this.drawing = false;
    this.frame = 0;
  }

  /** Takes what is loaded. */
  update() {
    const { view, archive, chart, sheets: { list }, overview } = this.parts;
    if (view.channels.length === 0 || list.length === 0) return;
    const names = this.names();
    this.axes = axesOf(list, names, archive.metadata, view.axes, chart.from, chart.to, this.axes);
    this.draw();
    tellIncomplete(list, chart, archive.zone);
    tellEmpty(list, chart, names, archive, this.show);
    const main = names.find((name) => this.axes.some((axis) => axis.names.includes(name))) ?? null;
    const { recorded } = archive;
    overview.load(main, recorded && { from: archive.recordedOf(names)?.from ?? recorded.from, to: view.live ? archive.now() : recorded.to });
  }

  /** Returns the channels of which something is loaded. */
  names() {
    const { view, archive, sheets } = this.parts;
    return view.channels.filter((name) => !archive.lacks(name) && sheets.list.some((sheet) => traceOf(sheet, name)));
  }

  /** Forgets the ranges of the axes, which otherwise change as little as possible. */
  forgetAxes() { this.axes = []; }

  /** Shows one channel before the others.
   * @param {string | null} name */
  focus(name) {
    this.focused = this.parts.view.channels.length > 1 ? name : null;
    this.draw();
  }

  /** Draws the traces anew, at the next free moment. */
  draw() {
    if (this.drawing) return;
    this.drawing = true;
    setTimeout(() => {
      this.drawing = false;
      this.drawNow();
    }, this.parts.view.live ? 100 : 0);
  }

  drawNow() {
    const { archive: { metadata }, chart, sheets: { list }, strip } = this.parts;
    const { axes, focused: focus } = this;
    const names = this.names();
    if (names.length === 0) return;
    const lanes = names.flatMap((name) => {
      const trace = list.map((sheet) => traceOf(sheet, name)).find((each) => each);
      const kind = trace ? kindOf(trace, metadata.get(name)) : 'number';
      return kind === 'number' ? [] : [{ name, kind }];
    });
    // The strips take their room before the chart is built.
    byId('overview').hidden = false;
    strip.draw(list, chart.from, chart.to, chart.box(axes));
    chart.draw({ sheets: list, axes, names, metadata, focus }, lanes);
  }

  /** Shows the period in all parts that have it. */
  showPeriod() {
    const { archive, chart, sheets, strip, overview, readings } = this.parts;
    if (!chart.scene) return;
    const box = chart.box();
    strip.draw(sheets.list, chart.from, chart.to, box);
    overview.show(chart.from, chart.to, box, archive.zone);
    for (const button of byId('presets').children) {
      const length = PRESETS[/** @type {keyof PRESETS} */ (/** @type {HTMLElement} */ (button).dataset.preset)];
      button.setAttribute('aria-pressed', String(Math.abs((chart.to - chart.from) / length - 1) < 0.01));
    }
    readings.show();
  }

  /** Shows the period of a movement in the next frame. */
  showPeriodSoon() {
    const { chart, strip, overview } = this.parts;
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      if (chart.moving.active) {
        strip.shift(chart.moving.shift / chart.ratio);
        overview.move(chart.from, chart.to);
      } else {
        this.showPeriod();
      }
    });
  }

  /** Draws all anew, such as in other colours. */
  refresh() {
    this.draw();
    this.parts.overview.draw();
    this.showPeriod();
  }
}
