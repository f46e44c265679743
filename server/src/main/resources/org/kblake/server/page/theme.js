// Light, dark, and the colours that the charts are drawn with.

/** @typedef {{series: string[], ink: string, muted: string, line: string, panel: string, accent: string, severity: string[], hatch: string}}
 * Palette */

/** @type {Palette | null} */
let palette = null;

/** Takes the theme from the address, the user's choice, or the system. */
export function chooseTheme() {
  const asked = new URLSearchParams(location.search).get('theme') ?? localStorage.getItem('theme');
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = asked === 'dark' || asked === 'light' ? asked : system;
  palette = null;
}

/** Switches between light and dark. */
export function switchTheme() {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  localStorage.setItem('theme', theme);
  palette = null;
}

/** Returns the colours of the theme.
 * @returns {Palette} */
export function colours() {
  if (!palette) {
    const style = getComputedStyle(document.documentElement);
    const of = (/** @type {string} */ name) => style.getPropertyValue('--' + name).trim();
    palette = {
      series: [0, 1, 2, 3, 4, 5, 6, 7].map((i) => of('series-' + i)),
      ink: of('ink'), muted: of('muted'), line: of('line'), panel: of('panel'), accent: of('accent'), hatch: of('hatch'),
      severity: ['', of('minor'), of('major'), of('invalid')],
    };
  }
  return palette;
}

/** @type {Map<string, number>} */
const chosen = new Map();

/** Returns the number of the colour of each channel. A channel keeps its colour while the page is open, and a link gives the same colours.
 * @param {string[]} names */
export function chooseColours(names) {
  for (const name of names) {
    if (!chosen.has(name)) {
      const uses = (/** @type {number} */ colour) => names.filter((each) => chosen.get(each) === colour).length;
      const wanted = [...name].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) >>> 0, 7) % 8;
      const order = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => (wanted + i) % 8);
      chosen.set(name, order.reduce((best, colour) => (uses(colour) < uses(best) ? colour : best)));
    }
  }
}

/** Returns the number of a channel's colour.
 * @param {string} name */
export function colourOf(name) { return chosen.get(name) ?? 0; }
