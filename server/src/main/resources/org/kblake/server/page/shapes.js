// Small shapes: the sign of a severity, the hatching of a time without data.

/** Draws the sign of a severity: a triangle for minor, a diamond for major, a square for invalid.
 * @param {CanvasRenderingContext2D} context
 * @param {number} severity @param {number} x @param {number} y @param {number} size */
export function severitySign(context, severity, x, y, size) {
  context.beginPath();
  if (severity === 1) {
    context.moveTo(x, y - size);
    context.lineTo(x + size, y + size * 0.8);
    context.lineTo(x - size, y + size * 0.8);
  } else if (severity === 2) {
    context.moveTo(x, y - size * 1.15);
    context.lineTo(x + size * 1.15, y);
    context.lineTo(x, y + size * 1.15);
    context.lineTo(x - size * 1.15, y);
  } else {
    context.rect(x - size * 0.85, y - size * 0.85, size * 1.7, size * 1.7);
  }
  context.closePath();
  context.fill();
}

/** The sign of each severity as text. */
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
