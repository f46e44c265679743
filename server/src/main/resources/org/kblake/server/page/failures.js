// Requests that did not succeed: what the page says, and when it tries again.

import { ApiError } from '/page/api.js';
import { banner } from '/page/states.js';
import { t } from '/page/words.js';

/** After so many seconds the page asks a server again that did not answer. */
const RETRY = 5;

export class Failures {
  /** @param {import('./chart.js').Chart} chart which is pale while the server is away
   * @param {{again: () => void, rest: () => void}} actions again: asks for everything again, rest: for what is missing */
  constructor(chart, { again, rest }) {
    this.chart = chart;
    this.again = again;
    this.rest = rest;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /** Tells that a request did not succeed.
   * @param {any} error which is thrown if it is not of the server @param {boolean} period whether the request has a period that the user wrote */
  tell(error, period) {
    const status = error instanceof ApiError ? error.status : -1;
    if (status === 0) {
      this.away();
    } else if (status === 206) {
      banner('incomplete', t('incompleteText', t('incompleteCut')), 'warning', { label: t('retry'), action: this.rest });
    } else if (status === 429 || status === 503) {
      banner('busy', t('tooMany', error.retryAfter) + ' · ' + error.message);
      this.retry(error.retryAfter);
    } else if (status > 0) {
      const kind = status === 400 && period ? 'wrongPeriod' : status === 413 ? 'tooMuch' : 'wrong';
      banner('wrong', t(kind) + ': ' + error.message, 'error');
    } else {
      throw error;
    }
  }

  /** Tells that the server does not answer. */
  away() {
    this.show(true);
    banner('away', t('serverAway', RETRY), 'error', { label: t('retry'), action: () => this.retryNow() });
    this.retry();
  }

  /** Takes note of an answer. */
  answered() {
    ['busy', 'wrong', 'away'].forEach((key) => banner(key, null));
    this.show(false);
  }

  /** Asks for everything again after some seconds.
   * @param {number} [seconds] */
  retry(seconds = RETRY) {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.again, seconds * 1000);
  }

  retryNow() {
    clearTimeout(this.timer);
    this.again();
  }

  /** @param {boolean} away */
  show(away) {
    this.chart.away = away;
    document.body.classList.toggle('away', away);
    this.chart.refresh();
  }
}
