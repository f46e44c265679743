// The live view: it takes the events of the stream, and scrolls with the clock of the server.

import { append, askLosses, askQuiet, extend, knownEnd, Live } from '/page/live.js';

/** So often loaded data are drawn and missing ones are requested, in milliseconds. */
const INTERVAL = 500;

export class Following {
  /** @param {import('./board.js').Board} board @param {(away: boolean) => void} away @param {() => void} request requests what is missing */
  constructor(board, away, request) {
    this.board = board;
    this.request = request;
    this.frame = 0;
    this.drawn = 0;
    this.live = new Live((event) => {
      const { newest } = this;
      if (newest) {
        append(newest, event);
        board.draw();
      }
    }, away);
  }

  /** Returns the newest of the loaded sheets. */
  get newest() {
    const { list } = this.board.parts.sheets;
    return list[list.length - 1];
  }

  /** Follows channels, from what is loaded of them.
   * @param {string[]} channels */
  start(channels) {
    // What came into the log while the answer was read is in neither, if the stream begins at the end of the answer.
    this.live.start(channels, this.newest ? knownEnd(this.newest) : this.board.parts.chart.from);
    cancelAnimationFrame(this.frame);
    this.drawn = 0;
    this.scroll();
  }

  stop() {
    this.live.stop();
    cancelAnimationFrame(this.frame);
  }

  scroll() {
    this.frame = requestAnimationFrame(() => {
      this.step();
      this.scroll();
    });
  }

  step() {
    const { board, newest } = this;
    const { archive, chart } = board.parts;
    const span = chart.to - chart.from;
    const shift = archive.now() + span * 0.02 - chart.to;
    if (!chart.scene || shift <= span / chart.box().width) return;
    chart.now = archive.now();
    chart.moving.remove();
    chart.move(chart.from + shift, chart.to + shift);
    if (newest && !chart.away) extend(newest, Math.min(archive.now(), chart.to));
    if (performance.now() - this.drawn > INTERVAL) {
      this.drawn = performance.now();
      if (newest) {
        newest.version++;
        // A server that is away is told by the stream.
        if (!chart.away) {
          askQuiet(newest, archive.now()).catch(() => {});
          askLosses(newest, archive.now()).catch(() => {});
        }
      }
      board.update();
      this.request();
    }
    board.showPeriod();
  }
}
