// Small shapes: the signs of severities, the hatching of a time without data.

/** The sign of each severity: a triangle for minor, a diamond for major, a square for invalid. */
export const SEVERITY_SIGNS = ['', '▲', '◆', '■'];

/** Returns a pattern of slanted lines.
 * @param {CanvasRenderingContext2D} context @param {string} colour @param {boolean} crossed */
export function hatching(context, colour, crossed) {
  const size = 8 * (devicePixelRatio || 1);
  const tile = document.createElement('canvas');
  tile.width = tile.height = size;
  const lines = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
  lines.strokeStyle = colour;
  lines.lineWidth = size / 8;
  lines.beginPath();
  for (const shift of [-size, 0, size]) {
    lines.moveTo(shift - 1, size + 1);
    lines.lineTo(shift + size + 1, -1);
    if (crossed) {
      lines.moveTo(shift - 1, -1);
      lines.lineTo(shift + size + 1, size + 1);
    }
  }
  lines.stroke();
  return /** @type {CanvasPattern} */ (context.createPattern(tile, 'repeat'));
}
