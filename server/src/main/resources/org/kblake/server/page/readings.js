// The values of the channels at the cursor, or the last ones, in the line below the chart and in the list of channels.

import { byId } from '/page/dom.js';
import { showReadout } from '/page/readout.js';
import { HOUR } from '/page/time.js';
import { lastEvent, readingAt, traceOf } from '/page/values.js';

export class Readings {
  /** @param {Omit<import('./board.js').Parts, 'readings'>} parts */
  constructor(parts) {
    this.parts = parts;
    /** @type {number | null} */
    this.cursor = null;
  }

  /** Moves the cursor.
   * @param {number | null} time */
  point(time) {
    this.cursor = time;
    this.show();
  }

  show() {
    const { view, archive, chart, sheets, rail } = this.parts;
    // While a period is dragged, the time at the pointer stays.
    if (chart.moving.active) return;
    const names = view.channels;
    const end = Math.min(chart.to, archive.now());
    const time = this.cursor ?? end;
    const readings = names.map((name) => (this.cursor === null ? this.latest(name, end) : readingAt(sheets.list, name, time)))
      .map((reading, i) => reading ?? { name: names[i], state: 'none', value: null, time, severity: 0 });
    const span = (chart.to - chart.from) / Math.max(1, chart.box().width) < 1000 ? 1 : HOUR;
    showReadout(byId('readout'), names.length > 0 ? archive.zone.text(time, span) : '', readings, archive.metadata);
    rail.values(readings, archive.metadata, sheets.list);
  }

  /** @param {string} name @param {number} end @returns {import('./values.js').Reading | null} */
  latest(name, end) {
    const { list } = this.parts.sheets;
    const sheet = list.filter((each) => each.from <= end).pop();
    const trace = sheet && traceOf(sheet, name);
    const last = trace && lastEvent(trace, end);
    return last ? { name, ...last } : readingAt(list, name, Math.min(end, sheet?.to ?? end) - 1);
  }
}
