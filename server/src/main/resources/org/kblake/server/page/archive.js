// What the page knows of the archive and of its channels.

import { ApiError, askArchive, askChannels, askMetadata } from '/page/api.js';
import { Zone } from '/page/time.js';

const EXAMPLES = 3;

export class Archive {
  constructor() {
    this.loaded = false;
    this.zone = new Zone('UTC');
    /** @type {{from: number, to: number} | null} */
    this.recorded = null;
    this.clockShift = 0;
    /** @type {Map<string, any>} by the name of a channel */
    this.metadata = new Map();
    /** @type {string[]} */
    this.examples = [];
  }

  async load() {
    const archive = await askArchive();
    this.zone = new Zone(archive.zone);
    this.recorded = archive.recorded;
    this.clockShift = archive.now - Date.now();
    this.loaded = true;
  }

  /** Returns the present time of the server. */
  now() { return Date.now() + this.clockShift; }

  /** Loads what is known of a channel.
   * @param {string} name */
  async describe(name) {
    this.metadata.set(name, {});
    try {
      this.metadata.set(name, await askMetadata(name));
    } catch (e) {
      if (e instanceof ApiError && e.status === 404) {
        this.metadata.set(name, { unknown: true, nearest: e.nearest });
      } else {
        this.metadata.delete(name);
      }
    }
  }

  /** Returns whether it is known that a channel does not exist.
   * @param {string} name @returns {boolean} */
  lacks(name) { return this.metadata.get(name)?.unknown ?? false; }

  /** Returns the period in which one of some channels was recorded, or that of the archive if it is not known of any.
   * @param {string[]} names */
  recordedOf(names) {
    const periods = names.flatMap((name) => this.metadata.get(name)?.recorded ?? []);
    return periods.length > 0 ? { from: Math.min(...periods.map((each) => each.from)), to: Math.max(...periods.map((each) => each.to)) } : this.recorded;
  }

  /** Returns names of some channels with numbers, of different groups if there are such. */
  async findExamples() {
    if (this.examples.length === 0) {
      try {
        const found = (await askChannels('', 100)).channels.filter((each) => !['string', 'enum'].includes(each.type) && (each.elements ?? 1) === 1);
        const groups = [...new Set(found.map((each) => each.group))];
        const first = groups.map((group) => found.find((each) => each.group === group)?.name ?? '');
        this.examples = [...first, ...found.map((each) => each.name).filter((name) => !first.includes(name))].slice(0, EXAMPLES);
      } catch {
        // A page without examples is as good.
      }
    }
    return this.examples;
  }
}
