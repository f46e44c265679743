// The axes of values: one for each unit, at most four, linear or logarithmic, and their ticks.

import { extremes, kindOf, traceOf } from '/page/values.js';

const MAX_AXES = 4;
const LOG_UNITS = ['Pa', 'Torr', 'mbar', 'hPa', 'A/Pa'];

/** @typedef {import('./sheets.js').Sheet} Sheet @typedef {import('./api.js').Metadata} Metadata
 * @typedef {{key: string, unit: string, names: string[], log: boolean, min: number, max: number, auto: boolean, known: boolean,
 * limited: boolean}} Axis limited: whether a channel of it has display limits */

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
    const axis = axes.find((each) => each.key === key) ?? (axes.length === MAX_AXES ? axes[MAX_AXES - 1] : null);
    if (axis) {
      axis.names.push(name);
      axis.unit = axis.key === key ? axis.unit : '';
    } else {
      axes.push({ key, unit: unit ?? '', names: [name], log: false, min: 0, max: 1, auto: true, known: false, limited: false });
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
  axis.limited = Boolean(limits);
  const fixed = choice.range === 'limits' ? limits : choice.range;
  if (fixed && (!axis.log || fixed[0] > 0)) {
    [axis.min, axis.max] = fixed;
    axis.auto = false;
  } else if (before && before.auto && before.log === axis.log && all.length > 0 && fits(before, min, max)) {
    [axis.min, axis.max] = [before.min, before.max];
  } else if (axis.log) {
    const room = Math.max(0.15, (Math.log10(max) - Math.log10(min)) * 0.06);
    [axis.min, axis.max] = [Math.max(Number.MIN_VALUE, min / 10 ** room), Math.min(Number.MAX_VALUE, max * 10 ** room)];
  } else {
    // Of halves, because the distance of the ends may be infinite.
    const room = max > min ? (max / 2 - min / 2) * 0.16 || max - min : Math.abs(max) * 0.05 || 1;
    const least = min >= 0 && min < room ? Math.min(min, 0) - room / 8 : min - room;
    [axis.min, axis.max] = [Math.max(-Number.MAX_VALUE, least), Math.min(Number.MAX_VALUE, max + room)];
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
  if (log) {
    const [low, length] = [Math.log(min), Math.log(max) - Math.log(min)];
    return (value) => (value > 0 ? (Math.log(value) - low) / length : -1);
  }
  const part = max - min === Infinity ? 0.5 : 1;
  return (value) => (value * part - min * part) / (max * part - min * part);
}

/** Returns the place of a value on an axis.
 * @param {Axis} axis @param {number} value */
export function placeOn(axis, value) { return placer(axis)(value); }

/** Returns the power of ten of a number. Those below -323 are 0.
 * @param {number} value @param {number} slack @returns {number} */
function decade(value, slack) {
  return Math.max(-323, Math.floor(Math.log10(value) + slack));
}

/** Returns the ticks of an axis: two or more, because one alone says nothing of the scale.
 * @param {Axis} axis @param {number} count about @returns {number[]} */
export function valueTicks(axis, count) {
  for (let more = count; ; more *= 2) {
    const ticks = ticksOf(axis, more);
    if (ticks.length > 1 || more > 64) return ticks;
  }
}

/** @param {Axis} axis @param {number} count about @returns {number[]} */
function ticksOf(axis, count) {
  /** @type {number[]} */
  const ticks = [];
  const decades = Math.log10(axis.max) - Math.log10(axis.min);
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
  const parts = Math.max(2, count);
  const raw = axis.max / parts - axis.min / parts;
  const size = 10 ** decade(raw, 0);
  const factors = [1, 2, 2.5, 5, 10].filter((factor) => size * factor < Infinity);
  const step = size * (factors.find((factor) => size * factor >= raw) ?? factors[factors.length - 1]);
  const first = Math.ceil(axis.min / step);
  // Adjacent multiples of a step that is small beside them may be the same number.
  for (let i = 0; i <= 2 * parts + 2; i++) {
    const value = (first + i) * step;
    if (value >= axis.min && value <= axis.max && value !== ticks[ticks.length - 1]) ticks.push(value);
  }
  return ticks;
}

/** Returns the texts of ticks.
 * @param {number[]} ticks @param {boolean} log */
export function tickTexts(ticks, log) {
  const powers = '⁰¹²³⁴⁵⁶⁷⁸⁹';
  const raised = (/** @type {number} */ power) => (power < 0 ? '⁻' : '') + [...String(Math.abs(power))].map((digit) => powers[+digit]).join('');
  const largest = Math.max(...ticks.map(Math.abs));
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : largest || 1;
  const stepPower = decade(step, 1e-9);
  // The digits of a step such as 2.5
  const fine = Math.abs(step / 10 ** stepPower - Math.round(step / 10 ** stepPower)) > 1e-6 ? 1 : 0;
  const decimals = Math.max(0, fine - stepPower);
  // A number such as 508887500 is shorter without a power of ten than with all its digits.
  const isLong = largest < 1e10 && largest / step > 1e4;
  const scientific = largest !== 0 && (largest < 1e-3 || largest >= 1e6 && !isLong);
  if (!log && !scientific) return ticks.map((value) => value.toFixed(Math.min(15, decimals)));
  return ticks.map((value) => {
    if (value === 0) return '0';
    const power = decade(Math.abs(value), 1e-9);
    if (log && power >= -2 && power <= 4) return String(+value.toPrecision(12));
    const exact = value / 10 ** power;
    const factor = log ? String(+exact.toPrecision(12)) : exact.toFixed(Math.min(15, Math.max(0, power - stepPower + fine)));
    return (factor === '1' ? '' : factor + '×') + '10' + raised(power);
  });
}
