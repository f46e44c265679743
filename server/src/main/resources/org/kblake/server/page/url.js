// The view as the address of the page. A link shows the same chart at any later time.

/** @typedef {object} AxisChoice how the user wants an axis @property {boolean} [log] @property {'limits' | [number, number]} [range] */

/** @typedef {object} View @property {string[]} channels @property {string | null} from as kblake get accepts it, in the archive's zone
 * @property {string | null} to @property {boolean} live @property {boolean} wall
 * @property {Record<string, AxisChoice>} axes by the key of the axis */

/** Reads a view from the query part of an address.
 * @param {string} query @returns {View} */
export function parseView(query) {
  /** @type {Record<string, string>} */
  const raw = {};
  for (const part of query.replace(/^\?/, '').split('&')) {
    const equals = part.indexOf('=');
    if (equals > 0) raw[part.slice(0, equals)] = part.slice(equals + 1);
  }
  /** @type {Record<string, AxisChoice>} */
  const axes = {};
  const choice = (/** @type {string} */ key) => (axes[key] ??= {});
  list(raw.log).forEach((key) => (choice(key).log = true));
  list(raw.lin).forEach((key) => (choice(key).log = false));
  for (const text of list(raw.y)) {
    const parts = text.split('~');
    const range = parts.length === 3 ? /** @type {[number, number]} */ ([+parts[1], +parts[2]]) : null;
    if (range && range[0] < range[1]) {
      choice(parts[0]).range = range;
    } else if (parts[1] === 'limits') {
      choice(parts[0]).range = 'limits';
    }
  }
  return {
    channels: [...new Set(list(raw.c))],
    from: raw.from ? decode(raw.from) : null,
    to: raw.to ? decode(raw.to) : null,
    live: raw.live === '1',
    wall: raw.wall === '1',
    axes,
  };
}

/** Writes a view as the query part of an address.
 * @param {View} view */
export function viewQuery(view) {
  const keys = Object.keys(view.axes);
  const parts = {
    c: view.channels,
    from: view.from ? [view.from] : [],
    to: view.to ? [view.to] : [],
    live: view.live ? ['1'] : [],
    log: keys.filter((key) => view.axes[key].log === true),
    lin: keys.filter((key) => view.axes[key].log === false),
    y: keys.flatMap((key) => {
      const range = view.axes[key].range;
      return range === 'limits' ? [key + '~limits'] : range ? [key + '~' + range[0] + '~' + range[1]] : [];
    }),
    wall: view.wall ? ['1'] : [],
  };
  const texts = Object.entries(parts).filter(([, values]) => values.length > 0)
    .map(([key, values]) => key + '=' + values.map(encode).join(','));
  const fixed = new URLSearchParams(location.search);
  for (const key of ['lang', 'theme']) {
    const value = fixed.get(key);
    if (value) texts.push(key + '=' + encode(value));
  }
  return texts.length > 0 ? '?' + texts.join('&') : '';
}

/** @param {string | undefined} text */
function list(text) { return text ? text.split(',').filter((part) => part !== '').map(decode) : []; }

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}

/** @param {string} text */
function encode(text) { return encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2F/g, '/').replace(/%40/g, '@'); }
