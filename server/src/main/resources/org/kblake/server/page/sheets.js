// What was loaded of the time axis: adjoining answers of one width of bins, called sheets. Missing ones are requested 50 ms after the last
// movement, requests that no longer matter are cancelled, and the periods beside the shown one are requested ahead.

import { askTrend } from '/page/api.js';
import { addDisconnections } from '/page/known.js';
import { knownEnd } from '/page/live.js';
import { binWidth, instantText, widthText } from '/page/time.js';

const PAUSE = 50;
const MAX_SHEETS = 9;

/** @typedef {import('./api.js').Trend} Trend @typedef {Trend & {key: string, version: number, lossesAsked?: number}} Sheet
 * @typedef {{channels: string[], from: number, to: number, pixels: number, zoneOffset: number, now: number}} Target */

export class Sheets {
  /** @param {(sheets: Sheet[]) => void} changed @param {(error: any) => void} failed @param {(busy: boolean) => void} showBusy
   * @param {() => Target} target what is to be loaded at present */
  constructor(changed, failed, showBusy, target) {
    this.changed = changed;
    this.failed = failed;
    this.showBusy = showBusy;
    /** @type {Sheet[]} */
    this.list = [];
    /** @type {{from: number, to: number, key: string, control: AbortController, ahead: boolean}[]} */
    this.flying = [];
    this.target = target;
    /** @type {AbortController | null} */
    this.beginning = null;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /** Loads what the target needs, unless another period is on its way.
   * @param {boolean} soon without the pause after a movement */
  want(soon) {
    if (this.beginning) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), soon ? 0 : PAUSE);
  }

  /** Forgets everything, such as after the channels changed in an unforeseen way. */
  forget() {
    this.flying.forEach((each) => each.control.abort());
    this.flying = [];
    this.list = [];
  }

  load() {
    const target = this.target();
    if (target.channels.length === 0) return;
    const span = target.to - target.from;
    const width = binWidth(span, target.pixels);
    const key = target.channels.join('\n') + '\n' + width;
    const end = Math.min(target.to, target.now);
    for (const each of this.flying) {
      if (each.key !== key || each.to < target.from - span || each.from > target.to + span) each.control.abort();
    }
    this.flying = this.flying.filter((each) => !each.control.signal.aborted);
    let have = this.list.filter((sheet) => sheet.key === key);
    if (have.length > MAX_SHEETS) this.list = have = [];
    const known = [...have, ...this.flying];
    const gaps = missing(known, target.from, end, width);
    if (gaps.length > 0 || have.length === 0 && this.flying.length === 0) {
      // What was not written yet at the end of a sheet is asked for again.
      const ends = have.filter((sheet) => gaps.length > 0 && sheet.to === gaps[0][0]).map(knownEnd);
      const from = gaps.length > 0 ? Math.min(gaps[0][0], ...ends) : target.from;
      const to = gaps.length > 0 ? gaps[gaps.length - 1][1] : Math.max(end, target.from + 1);
      this.fetch(target, key, width, from, to, false);
    } else if (this.flying.length === 0) {
      const before = missing(known, target.from - span / 2, target.from, width);
      const after = missing(known, end, Math.min(target.to + span / 2, target.now), width);
      if (after.length > 0) this.fetch(target, key, width, after[0][0], Math.min(target.to + span, target.now), true);
      if (before.length > 0) this.fetch(target, key, width, target.from - span, before[before.length - 1][1], true);
    }
  }

  /** @param {Target} target @param {string} key @param {number} width @param {number} from @param {number} to
   * @param {boolean} ahead whether this is a period beside the shown one */
  async fetch(target, key, width, from, to, ahead) {
    const aligned = Math.floor((from + target.zoneOffset) / width) * width - target.zoneOffset;
    const control = new AbortController();
    const flight = { from: aligned, to, key, control, ahead };
    this.flying.push(flight);
    this.busy();
    try {
      const trend = await askTrend({
        channel: target.channels, from: instantText(aligned), to: instantText(to), width: widthText(width),
        points: 2 * Math.ceil((to - aligned) / width),
      }, control.signal);
      this.add(trend, key, target);
      this.flying = this.flying.filter((each) => each !== flight);
    } catch (e) {
      this.flying = this.flying.filter((each) => each !== flight);
      if (!control.signal.aborted) this.failed(e);
    } finally {
      this.busy();
    }
  }

  /** Adds an answer.
   * @param {Trend} trend @param {string} key @param {Target} target */
  add(trend, key, target) {
    const span = target.to - target.from;
    addDisconnections(trend);
    const sheet = { ...trend, key, version: 0 };
    this.list = this.list.filter((each) => each.key === key && each.to > target.from - 2 * span && each.from < target.to + 2 * span
      && !(each.from >= sheet.from && each.to <= sheet.to));
    this.list.push(sheet);
    this.list.sort((a, b) => a.from - b.from);
    this.changed(this.list);
  }

  /** Loads a period whose ends are texts, in place of what is loaded.
   * @param {{channel: string[], from: string, to: string, bins: number}} period @param {(trend: Trend) => void} answered makes the period the target
   * @returns {Promise<boolean>} whether it was loaded */
  async begin(period, answered) {
    clearTimeout(this.timer);
    this.beginning?.abort();
    const control = this.beginning = new AbortController();
    this.busy();
    try {
      const trend = await askTrend(period, control.signal);
      answered(trend);
      this.forget();
      this.add(trend, period.channel.join('\n') + '\n' + trend.width, this.target());
      return true;
    } catch (e) {
      if (!control.signal.aborted) this.failed(e);
      return false;
    } finally {
      if (this.beginning === control) this.leave();
    }
  }

  /** Gives up the period that is on its way. */
  leave() {
    this.beginning?.abort();
    this.beginning = null;
    this.busy();
  }

  /** Shows whether something is requested that the shown period lacks.
   * @private */
  busy() { this.showBusy(this.beginning !== null || this.flying.some((each) => !each.ahead)); }
}

/** Returns the parts of a period that none of the ranges has.
 * @param {{from: number, to: number}[]} ranges @param {number} from @param {number} to
 * @param {number} least shorter parts do not count @returns {[number, number][]} */
function missing(ranges, from, to, least) {
  /** @type {[number, number][]} */
  const gaps = [];
  let at = from;
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    if (range.to <= at || range.from >= to) continue;
    if (range.from - at > least) gaps.push([at, range.from]);
    at = range.to;
  }
  if (to - at > least) gaps.push([at, to]);
  return gaps;
}
