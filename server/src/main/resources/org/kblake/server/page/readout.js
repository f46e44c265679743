// The line below the chart: the values at the cursor, or the last ones.

import { fitted, make } from '/page/dom.js';
import { SEVERITY_SIGNS } from '/page/shapes.js';
import { colourOf, colours } from '/page/theme.js';
import { numberText, shortName, valueText } from '/page/values.js';
import { t } from '/page/words.js';

/** Returns the sign and the name of a severity.
 * @param {number} severity */
export function severityMark(severity) {
  return severity > 0 ? make('span.severity.severity' + severity, { title: t('severity' + severity) }, SEVERITY_SIGNS[severity], ' ', t('severity' + severity)) : null;
}

/** Returns whether a reading has a value.
 * @param {import('./values.js').Reading} reading */
export function isKnown(reading) { return reading.state === 'value' || reading.state === 'disconnected' && reading.value !== null; }

/** Returns the value of a reading as text, or why there is none.
 * @param {import('./values.js').Reading} reading @param {import('./api.js').Metadata | undefined} known */
export function readingText(reading, known) {
  return isKnown(reading) ? valueText(reading.value, known) : reading.state === 'none' ? t('noValue') : t(reading.state);
}

/** Shows values.
 * @param {HTMLElement} element @param {string} time @param {import('./values.js').Reading[]} readings
 * @param {Map<string, any>} metadata */
export function showReadout(element, time, readings, metadata) {
  element.replaceChildren(make('span.time', {}, time), ...readings.map((reading) => {
    const known = metadata.get(reading.name);
    const shown = isKnown(reading);
    const wave = Array.isArray(reading.value) ? reading.value.filter((each) => typeof each === 'number') : [];
    const [min, max] = wave.length > 0 ? [Math.min(...wave), Math.max(...wave)].map((each) => +each.toPrecision(3)) : (reading.count ?? 0) > 1 ? [reading.min, reading.max] : [];
    const range = typeof min === 'number' && typeof max === 'number' && (wave.length > 0 || readings.length < 4)
      ? t('min') + ' ' + numberText(min, known?.precision) + '  ' + t('max') + ' ' + numberText(max, known?.precision) : null;
    return make('span.reading.series' + colourOf(reading.name), {},
      make('span.swatch'), make('span.short', {}, shortName(reading.name)), make('b', {}, readingText(reading, known)), shown && wave.length > 1 ? curve(wave, colourOf(reading.name)) : null,
      shown && known?.unit ? make('span.unit', {}, known.unit) : null,
      reading.state === 'disconnected' ? make('span.note', {}, t('disconnected')) : null,
      shown && range ? make('span.note', { title: wave.length > 0 ? null : t('inPixel', reading.count ?? 0) }, range) : null,
      shown ? severityMark(reading.severity) : null);
  }));
}

/** Draws a waveform.
 * @param {number[]} wave @param {number} colour */
function curve(wave, colour) {
  const canvas = /** @type {HTMLCanvasElement} */ (make('canvas'));
  const [width, height] = [80, 20];
  const context = fitted(canvas, width, height);
  const [low, high] = [Math.min(...wave), Math.max(...wave)];
  context.strokeStyle = colours().series[colour];
  context.lineWidth = 1.5;
  wave.forEach((value, i) => context.lineTo(i / (wave.length - 1) * width, height - 2 - (high > low ? (value - low) / (high - low) : 0.5) * (height - 4)));
  context.stroke();
  return canvas;
}
