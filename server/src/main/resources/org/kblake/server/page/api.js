// Requests to the server, as docs/http-api.md describes them.

import { DAY } from '/page/time.js';

/** @typedef {{from: number, to: number, state: string, reason: string | null}} Span
 * @typedef {{group: string, from: number, to: number, count: number | null, reason: string}} LossySpan
 * @typedef {{group: string, spans: Span[], heard?: number, asked?: number}} Coverage heard: when an event of the group came, by the clock of the page, asked: when its
 * coverage was asked for again
 * @typedef {{time: number[], count: number[], first: any[], last: any[], min?: (number | null)[], max?: (number | null)[],   minTime?: number[],
 * maxTime?: number[], lastTime?: number[], mean?: (number | null)[], timeMean?: (number | null)[], known?: number[],   severity: number[]}} Bins
 * @typedef {{time: number[], value: any[], severity: number[], state: string[], until?: number[]}} Events   until: only if a clock was set back: the
 * earliest time of the events behind an event in the log, which may be before its own
 * @typedef {{time: number, value: any, state: string, severity: number}} Held
 * @typedef {{name: string, group: string, type: string, unit: string | null, precision: number | null, held: Held | null,   bins?: Bins,
 * events?: Events, disconnected?: [number, number][], until?: number}} Trace until: to this instant live data are in the means
 * @typedef {{from: number, to: number, width: number, complete: boolean, notes: string[], channels: Trace[],   coverage: Coverage[], lossy?: LossySpan[]}} Trend
 * @typedef {{name: string, group: string, type: string, elements?: number}} Found @typedef {Record<string, any>} Metadata
 * @typedef {{zone: string, now: number, recorded: {from: number, to: number} | null, groups: any[]}} ArchiveInfo */

/** An answer other than the one that was asked for. Status 0: the server does not answer. */
export class ApiError extends Error {
  /** @param {number} status @param {string} message @param {string[]} nearest names @param {number} retryAfter seconds */
  constructor(status, message, nearest = [], retryAfter = 5) {
    super(message);
    this.status = status;
    this.nearest = nearest;
    this.retryAfter = retryAfter;
  }
}

/** Returns the address of a request.
 * @param {string} path below /api/v1 @param {Record<string, string | number | string[] | undefined>} parameters */
export function address(path, parameters) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    for (const each of Array.isArray(value) ? value : value === undefined ? [] : [value]) query.append(key, String(each));
  }
  return '/api/v1/' + path + (String(query) === '' ? '' : '?' + query);
}

/** Requests JSON.
 * @param {string} path @param {Record<string, string | number | string[] | undefined>} [parameters] @param {AbortSignal} [signal]
 * @returns {Promise<any>} @throws {ApiError} */
export async function ask(path, parameters = {}, signal) {
  let response;
  let text;
  try {
    response = await fetch(address(path, parameters), { signal, credentials: 'same-origin' });
    text = await response.text();
    // An answer that is here already may be given up too.
    signal?.throwIfAborted();
  } catch (e) {
    if (signal?.aborted) throw e;
    throw new ApiError(response ? 206 : 0, String(e));
  }
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    body = null;
  }
  if (!response.ok) throw new ApiError(response.status, body?.error ?? text.trim(), body?.nearest, Number(response.headers.get('Retry-After') ?? 5));
  if (body === null) {
    // A cut connection: the end of the answer is missing.
    throw new ApiError(206, 'cut');
  }
  return body;
}

/** Requests trends.
 * @param {Record<string, string | number | string[] | undefined>} parameters @param {AbortSignal} signal
 * @returns {Promise<Trend>} */
export async function askTrend(parameters, signal) {
  const trend = await ask('trend', parameters, signal);
  if (trend.complete === undefined) throw new ApiError(206, 'cut');
  return trend;
}

/** @returns {Promise<ArchiveInfo>} */
export async function askArchive() {
  const archive = await ask('archive');
  const latest = archive.groups.map((/** @type {any} */ each) => each.latest).filter((/** @type {any} */ each) => typeof each === 'number');
  const recorded = archive.recorded ?? (latest.length > 0 ? { from: Math.max(...latest) - DAY, to: Math.max(...latest) } : null);
  return { ...archive, recorded };
}

/** @param {string} search @param {number} limit @param {AbortSignal} [signal] @returns {Promise<{channels: Found[], nearest?: string[]}>} */
export function askChannels(search, limit, signal) { return ask('channels', { search: search || undefined, limit }, signal); }

/** @param {string} channel @returns {Promise<Metadata>} */
export async function askMetadata(channel) {
  const known = await ask('metadata', { channel });
  const period = known.recorded;
  const limits = (/** @type {any} */ low, /** @type {any} */ high) => (low === null && high === null ? null : [low, high]);
  const { low, high, lolo, lo, hi, hihi } = known;
  return { ...known, displayLimits: limits(low, high), warningLimits: limits(lo, hi), alarmLimits: limits(lolo, hihi),
    recorded: typeof period?.from === 'number' && typeof period.to === 'number' ? period : null };
}
