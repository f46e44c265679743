// The axes of values: one for each unit, at most four, linear or logarithmic, and their ticks.

import { extremes, kindOf, traceOf } from '/page/values.js';

const MOST_AXES = 4;
const LOG_UNITS = ['Pa', 'Torr', 'mbar', 'hPa', 'A/Pa'];

/** @typedef {import('./sheets.js').Sheet} Sheet @typedef {import('./api.js').Metadata} Metadata
 * @typedef {{key: string, unit: string, names: string[], log: boolean, min: number, max: number, auto: boolean, known: boolean}} Axis */

/** Returns the key of the axis that a channel wants: its unit, or the last part of its name if that is not known.
 * @param {string} name
 * @param {string | null | undefined} unit */
export function axisKey(name, unit) { return unit || name.slice(name.lastIndexOf(':') + 1); }

/** Returns the axes of the channels that have numbers.
 * @param {Sheet[]} sheets @param {string[]} names @param {Map<string, Metadata>} metadata
 * @param {Record<string, import('./url.js').AxisChoice>} choices @param {number} from @param {number} to
 * @param {Axis[]} before whose ranges stay if they still fit @returns {Axis[]} */
export function axesOf(sheets, names, metadata, choices, from, to, before) {
  /** @type {Axis[]} */
  const axes = [];
  for (const name of names) {
    const trace = sheets.map((sheet) => traceOf(sheet, name)).find((each) => each);
    if (!trace || kindOf(trace, metadata.get(name)) !== 'number') continue;
    const unit = metadata.get(name)?.unit ?? trace.unit;
    const key = axisKey(name, unit);
    const axis = axes.find((each) => each.key === key) ?? (axes.length === MOST_AXES ? axes[MOST_AXES - 1] : null);
    if (axis) {
      axis.names.push(name);
      axis.unit = axis.key === key ? axis.unit : '';
    } else {
      axes.push({ key, unit: unit ?? '', names: [name], log: false, min: 0, max: 1, auto: true, known: false });
    }
  }
  for (const axis of axes) setRange(axis, sheets, metadata, choices[axis.key] ?? {}, from, to, before.find((each) => each.key === axis.key));
  return axes;
}

/** @param {Axis} axis @param {Sheet[]} sheets @param {Map<string, Metadata>} metadata @param {import('./url.js').AxisChoice} choice
 * @param {number} from @param {number} to @param {Axis | undefined} before */
function setRange(axis, sheets, metadata, choice, from, to, before) {
  const all = axis.names.flatMap((name) => extremes(sheets, name, from, to) ?? []);
  axis.known = all.length > 0;
  let min = Math.min(...all.map((each) => each.min.value));
  let max = Math.max(...all.map((each) => each.max.value));
  axis.log = choice.log ?? (LOG_UNITS.includes(axis.unit) || axis.key.startsWith('PRES'));
  if (axis.log) {
    const above = axis.names.flatMap((name) => extremes(sheets, name, from, to, true) ?? []);
    min = Math.min(...above.map((each) => each.min.value));
    axis.log = above.length > 0 && max > 0;
  }
  if (all.length === 0) [min, max] = before ? [before.min, before.max] : axis.log ? [0.1, 10] : [0, 1];
  const limits = axis.names.map((name) => metadata.get(name)?.displayLimits).find((each) => Array.isArray(each) && each[0] !== null && each[1] !== null && each[0] < each[1]);
  const fixed = choice.range === 'limits' ? limits : choice.range;
  if (fixed && (!axis.log || fixed[0] > 0)) {
    [axis.min, axis.max] = fixed;
    axis.auto = false;
  } else if (before && before.auto && before.log === axis.log && all.length > 0 && fits(before, min, max)) {
    [axis.min, axis.max] = [before.min, before.max];
  } else if (axis.log) {
    const room = Math.max(0.15, Math.log10(max / min) * 0.06);
    [axis.min, axis.max] = [min / 10 ** room, max * 10 ** room];
  } else {
    const room = max > min ? (max - min) * 0.08 : Math.abs(max) * 0.05 || 1;
    [axis.min, axis.max] = [min >= 0 && min < room ? Math.min(min, 0) - room / 8 : min - room, max + room];
  }
}

/** Returns whether values fit well into the range of an axis.
 * @param {Axis} axis @param {number} min @param {number} max */
function fits(axis, min, max) {
  const position = (/** @type {number} */ value) => placeOn(axis, value);
  return position(min) >= 0.01 && position(max) <= 0.99 && position(max) - position(min) > 0.6;
}

/** Returns a function for the place of a value on an axis, from 0 at its low end to 1.
 * @param {Axis} axis @returns {(value: number) => number} */
export function placer(axis) {
  const { min, max, log } = axis;
  const [low, length] = [Math.log(min), Math.log(max / min)];
  return log ? (value) => (value > 0 ? (Math.log(value) - low) / length : -1) : (value) => (value - min) / (max - min);
}

/** Returns the place of a value on an axis.
 * @param {Axis} axis @param {number} value */
export function placeOn(axis, value) { return placer(axis)(value); }

/** Returns the ticks of an axis.
 * @param {Axis} axis @param {number} count about @returns {number[]} */
export function valueTicks(axis, count) {
  const ticks = [];
  const decades = Math.log10(axis.max / axis.min);
  if (axis.log && decades > 1) {
    const step = Math.max(1, Math.ceil(decades / count));
    for (let power = Math.floor(Math.log10(axis.min)); power <= Math.log10(axis.max); power++) {
      for (const factor of decades < count / 2.5 ? [1, 2, 5] : decades < count / 1.5 ? [1, 3] : [1]) {
        const value = +(factor + 'e' + power);
        if (value >= axis.min && value <= axis.max && (factor > 1 || power % step === 0)) ticks.push(value);
      }
    }
    return ticks;
  }
  const raw = (axis.max - axis.min) / Math.max(2, count);
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = size * ([1, 2, 2.5, 5, 10].find((factor) => size * factor >= raw) ?? 10);
  for (let i = Math.ceil(axis.min / step); i * step <= axis.max; i++) ticks.push(i * step);
  return ticks;
}

/** Returns the texts of ticks.
 * @param {number[]} ticks @param {boolean} log */
export function tickTexts(ticks, log) {
  const powers = '⁰¹²³⁴⁵⁶⁷⁸⁹';
  const raised = (/** @type {number} */ power) => (power < 0 ? '⁻' : '') + [...String(Math.abs(power))].map((digit) => powers[+digit]).join('');
  const largest = Math.max(...ticks.map(Math.abs));
  const scientific = largest !== 0 && (largest < 1e-3 || largest >= 1e6);
  if (log || scientific) {
    const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : largest;
    return ticks.map((value) => {
      if (value === 0) return '0';
      const power = Math.floor(Math.log10(Math.abs(value)) + 1e-9);
      if (log && power >= -2 && power <= 4) return String(+value.toPrecision(3));
      const exact = value / 10 ** power;
      const digits = Math.abs(exact - Math.round(exact)) < 1e-6 && log ? 0 : Math.max(0, Math.min(4, power - Math.floor(Math.log10(step) + 1e-9)));
      const factor = exact.toFixed(digits);
      return (factor === '1' ? '' : factor + '×') + '10' + raised(power);
    });
  }
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : largest || 1;
  const decimals = Math.max(0, Math.min(9, -Math.floor(Math.log10(step) + 1e-9)));
  const fine = Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6 ? 1 : 0;
  return ticks.map((value) => value.toFixed(decimals + fine));
}
