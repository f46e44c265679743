// The line below the chart: the values at the cursor, or the last ones.

import { make } from '/page/dom.js';
import { SEVERITY_SIGNS } from '/page/shapes.js';
import { colourOf } from '/page/theme.js';
import { numberText, shortName, valueText } from '/page/values.js';
import { t } from '/page/words.js';

/** Returns the sign and the name of a severity.
 * @param {number} severity */
export function severityMark(severity) {
  return severity > 0 ? make('span.severity.severity' + severity, { title: t('severity' + severity) }, SEVERITY_SIGNS[severity], ' ', t('severity' + severity)) : null;
}

/** Shows values.
 * @param {HTMLElement} element @param {string} time @param {import('./values.js').Reading[]} readings
 * @param {Map<string, any>} metadata */
export function showReadout(element, time, readings, metadata) {
  element.replaceChildren(make('span.time', {}, time), ...readings.map((reading) => {
    const known = metadata.get(reading.name);
    const text = reading.state === 'value' || reading.state === 'disconnected' && reading.value !== null
      ? valueText(reading.value, known) : reading.state === 'none' ? t('noValue') : t(reading.state);
    const shown = reading.state === 'value' || reading.state === 'disconnected';
    const many = (reading.count ?? 0) > 1 && typeof reading.min === 'number' && typeof reading.max === 'number';
    return make('span.reading.series' + colourOf(reading.name), {},
      make('span.swatch'), make('span.short', {}, shortName(reading.name)), make('b', {}, text),
      shown && known?.unit ? make('span.unit', {}, known.unit) : null,
      reading.state === 'disconnected' ? make('span.note', {}, t('disconnected')) : null,
      many && readings.length < 4 ? make('span.note', { title: t('inPixel', reading.count ?? 0) }, t('min') + ' ' + numberText(/** @type {number} */ (reading.min), known?.precision)
        + '  ' + t('max') + ' ' + numberText(/** @type {number} */ (reading.max), known?.precision)) : null,
      shown ? severityMark(reading.severity) : null);
  }));
}
