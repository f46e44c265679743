// The chart as a picture, the events as a file.

import { address } from '/page/api.js';
import { make } from '/page/dom.js';
import { colourOf, colours } from '/page/theme.js';
import { instantText } from '/page/time.js';

/** Lets the browser save the events of a period.
 * @param {string[]} channels @param {number} from @param {number} to
 * @param {string} name of the file */
export function saveEvents(channels, from, to, name) {
  save(address('data', { channel: channels, from: instantText(from), to: instantText(to), format: 'csv' }), name + '.csv');
}

/** Lets the browser save the chart.
 * @param {HTMLCanvasElement} chart @param {string[]} names @param {string} period
 * @param {string} name of the file */
export function savePicture(chart, names, period, name) {
  const ratio = chart.width / chart.clientWidth;
  const head = (28 + 20 * Math.ceil(names.length / 4)) * ratio;
  const canvas = document.createElement('canvas');
  canvas.width = chart.width;
  canvas.height = chart.height + head;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const palette = colours();
  context.scale(ratio, ratio);
  context.fillStyle = palette.panel;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const family = getComputedStyle(document.body).fontFamily;
  context.font = '14px ' + family;
  context.fillStyle = palette.ink;
  context.fillText(period, 16, 20);
  context.font = '12px ' + family;
  const column = (canvas.width / ratio - 32) / Math.min(4, names.length);
  names.forEach((each, i) => {
    const [x, y] = [16 + column * (i % 4), 42 + 20 * Math.floor(i / 4)];
    context.fillStyle = palette.series[colourOf(each)];
    context.fillRect(x, y - 9, 10, 10);
    context.fillStyle = palette.ink;
    context.fillText(each, x + 16, y, column - 24);
  });
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(chart, 0, head);
  canvas.toBlob((blob) => {
    if (blob) {
      const url = URL.createObjectURL(blob);
      save(url, name + '.png');
      setTimeout(() => URL.revokeObjectURL(url), 10000);
    }
  });
}

/** @param {string} href @param {string} name */
function save(href, name) {
  const link = make('a', { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}
