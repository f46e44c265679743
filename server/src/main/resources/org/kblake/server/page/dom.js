// Elements of the document.

/** Returns the element with an id.
 * @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error('no element has the id ' + id);
  return element;
}

/** Returns the input with an id.
 * @param {string} id */
export function input(id) { return /** @type {HTMLInputElement} */ (byId(id)); }

/** Makes an element.
 * @param {string} tag with classes, such as div.card.large
 * @param {Record<string, any>} [attributes] a function is a listener; on null an attribute is left out
 * @param {...(Node | string | null | undefined)} children @returns {HTMLElement} */
export function make(tag, attributes, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') {
      element.addEventListener(key, value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(key, value === true ? '' : String(value));
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined).map((child) => child ?? ''));
  return element;
}

/** Makes a canvas fit its element in pixels of the screen.
 * @param {HTMLCanvasElement} canvas @param {number} width of CSS pixels
 * @param {number} height @returns {CanvasRenderingContext2D} scaled to CSS pixels, and empty */
export function fitted(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = width + 'px';
    canvas.style.height = height + 'px';
  }
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** @type {number | undefined} */
let toastTimer;

/** Shows a short message for some seconds.
 * @param {string} text */
export function toast(text) {
  const element = byId('toast');
  element.textContent = text;
  element.classList.add('shown');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => element.classList.remove('shown'), 3000);
}
