// The drawn traces, kept as one image for each sheet. A movement of the chart moves and stretches these images. They are drawn in short
// slices, so that a movement is never held up, and shown when all are complete.

import { drawLane } from '/page/lanes.js';
import { drawEnvelope, drawNumbers } from '/page/traces.js';
import { colourOf, colours } from '/page/theme.js';
import { traceOf } from '/page/values.js';

const SLICE = 6;
const WIDEST = 12000;

/** @typedef {import('./sheets.js').Sheet} Sheet @typedef {import('./axes.js').Axis} Axis @typedef {import('./lanes.js').Lane} Lane
 * @typedef {{sheet: Sheet, from: number, to: number, canvas: HTMLCanvasElement, mark: string}} Image from, to: what is drawn; the sheet may have grown since
 * @typedef {{sheets: Sheet[], axes: Axis[], lanes: Lane[], names: string[], metadata: Map<string, any>, ratio: number, perPixel: number, width: number,  
 * curveHeight: number, height: number, focus: string | null, stamp: string}} Scene heights and width in CSS pixels, ratio: pixels of the screen for one of CSS, perPixel: milliseconds */

export class Picture {
  /** @param {(scene: Scene) => void} shown is called when a new scene is complete */
  constructor(shown) {
    this.shown = shown;
    /** @type {Image[]} */
    this.images = [];
    /** @type {Image[]} those of a scene that is not complete yet */
    this.drawn = [];
    this.job = 0;
    this.channel = new MessageChannel();
  }

  /** Draws a scene, and shows it when it is complete. A scene that is not complete yet is given up.
   * @param {Scene} scene */
  draw(scene) {
    const job = ++this.job;
    /** @type {Image[]} */
    const images = [];
    const steps = this.steps(scene, images);
    const slice = () => {
      if (job !== this.job) return;
      const end = performance.now() + SLICE;
      let step;
      do {
        step = steps.next();
      } while (!step.done && performance.now() < end);
      if (step.done) {
        this.images = images;
        this.drawn = [];
        this.shown(scene);
      } else {
        // A message comes sooner than a timer.
        this.channel.port2.postMessage(0);
      }
    };
    this.channel.port1.onmessage = slice;
    slice();
  }

  /** @param {Scene} scene @param {Image[]} images */
  *steps(scene, images) {
    const palette = colours();
    const { ratio } = scene;
    for (const sheet of scene.sheets) {
      const mark = scene.stamp + '|' + sheet.version;
      const old = [...this.images, ...this.drawn].find((each) => each.sheet.from === sheet.from && each.sheet === sheet && each.mark === mark);
      if (old) {
        images.push(old);
        continue;
      }
      const { to } = sheet;
      const canvas = document.createElement('canvas');
      canvas.width = Math.max(1, Math.min(WIDEST, Math.ceil((to - sheet.from) / scene.perPixel * ratio)));
      canvas.height = Math.max(1, Math.round(scene.height * ratio));
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
      const perPixel = canvas.width < WIDEST ? scene.perPixel / ratio : (to - sheet.from) / canvas.width;
      const target = { context, ratio, perPixel, height: scene.curveHeight * ratio, x: (/** @type {number} */ time) => (time - sheet.from) / perPixel };
      const axisOf = (/** @type {string} */ name) => scene.axes.find((each) => each.names.includes(name));
      const toneOf = (/** @type {string} */ name) => (scene.focus && scene.focus !== name ? palette.line : palette.series[colourOf(name)]);
      if (target.height >= 1) {
        const envelopes = context.createImageData(canvas.width, target.height);
        for (const name of scene.names) {
          const [trace, axis] = [traceOf(sheet, name), axisOf(name)];
          if (trace?.bins && axis) drawEnvelope(target, envelopes, sheet, trace, axis, toneOf(name));
          yield;
        }
        context.putImageData(envelopes, 0, 0);
      }
      for (const name of scene.names) {
        const [trace, axis] = [traceOf(sheet, name), axisOf(name)];
        const lane = scene.lanes.find((each) => each.name === name);
        if (trace) {
          context.save();
          context.globalAlpha = 1;
          if (axis) {
            context.beginPath();
            context.rect(0, 0, canvas.width, target.height);
            context.clip();
            drawNumbers(target, sheet, trace, axis, toneOf(name), palette.severity);
          } else if (lane) {
            drawLane(target, sheet, trace, lane, palette, scene.metadata.get(name)?.labels, colourOf(name));
          }
          context.restore();
          yield;
        }
      }
      const image = { sheet, from: sheet.from, to, canvas, mark };
      images.push(image);
      this.drawn.push(image);
      yield;
    }
  }

  /** Copies the images to the chart. An image of the chart's scale is copied pixel by pixel.
   * @param {CanvasRenderingContext2D} context @param {(time: number) => number} x pixels of the screen
   * @param {{left: number, top: number, width: number, height: number}} box of the plot */
  copy(context, x, box) {
    this.images.forEach((image, i) => {
      const { canvas } = image;
      const [from, to] = [Math.round(x(image.from)), Math.round(x(image.to))];
      // The last bin of a sheet may be a part of one. The next sheet begins with the whole bin.
      const next = Math.round(x(this.images[i + 1]?.from ?? image.to));
      const [begin, end] = [Math.max(from, box.left), Math.min(to, next, box.left + box.width)];
      if (end > begin) {
        const scale = Math.abs(canvas.width - (x(image.to) - x(image.from))) <= 1 && canvas.height === box.height ? 1 : canvas.width / (to - from);
        context.drawImage(canvas, (begin - from) * scale, 0, (end - begin) * scale, canvas.height, begin, box.top, end - begin, box.height);
      }
    });
  }
}
