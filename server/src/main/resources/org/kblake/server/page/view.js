// The view that the page shows, its entries in the history of the browser, and the pause after a movement.

import { parseView, viewQuery } from '/page/url.js';

/** So many milliseconds after the last movement the address has the new period. */
const PAUSE = 400;

/** @typedef {import('./url.js').View} View */

export class ViewState {
  /** @param {() => void} settled is called when the period of a movement has become that of the view */
  constructor(settled) {
    this.settled = settled;
    this.view = parseView(location.search);
    /** @type {{from: string, to: string} | null} the period of the last movement until the view has it */
    this.moved = null;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  get channels() { return this.view.channels; }

  get from() { return this.view.from; }

  get to() { return this.view.to; }

  get live() { return this.view.live; }

  get wall() { return this.view.wall; }

  get axes() { return this.view.axes; }

  /** Returns the query part of the address of this view with some changes.
   * @param {Partial<View>} [changes] */
  query(changes) { return viewQuery({ ...this.view, ...changes }); }

  /** Changes the view, and makes it an entry of the history.
   * @param {Partial<View>} changes */
  change(changes) {
    this.settleNow();
    Object.assign(this.view, changes);
    this.remember();
  }

  /** Gives a view without a period its first one, in the present entry of the history.
   * @param {Partial<View>} period */
  begin(period) {
    Object.assign(this.view, period);
    history.replaceState(null, '', this.query() || '/');
  }

  /** Ends the live view. The history gets no entry until the next change. */
  endLive() {
    this.settleNow();
    this.view.live = false;
  }

  /** Takes the period of a movement. The view has it after the last movement.
   * @param {string} from @param {string} to */
  move(from, to) {
    clearTimeout(this.timer);
    this.moved = { from, to };
    this.timer = setTimeout(() => this.settleNow(), PAUSE);
  }

  /** Ends the pause after a movement at once: what follows goes on from the new period. */
  settleNow() {
    if (!this.moved) return;
    const period = this.moved;
    this.forgetMove();
    this.change(period);
    this.settled();
  }

  /** Forgets the last movement.
   * @private */
  forgetMove() {
    clearTimeout(this.timer);
    this.moved = null;
  }

  /** Takes the view that the address has. A movement in its pause is dropped: an entry of it would replace those behind the present one. */
  read() {
    this.forgetMove();
    this.view = parseView(location.search);
  }

  remember() {
    const query = this.query() || '/';
    if (query !== location.search) history.pushState(null, '', query);
  }
}
