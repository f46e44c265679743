// Records what is drawn on canvases: a driver runs this before the scripts of a page. marksOn(canvas) returns what a canvas shows, in its
// pixels. Images that were copied to it are part of it.
(() => {
  const marks = new WeakMap();
  const paths = new WeakMap();
  const listOf = (canvas) => marks.get(canvas) ?? marks.set(canvas, []).get(canvas);
  const pathOf = (context) => paths.get(context) ?? paths.set(context, []).get(context);
  const placed = (context, x, y) => {
    const { a, b, c, d, e, f } = context.getTransform();
    return [a * x + c * y + e, b * x + d * y + f];
  };
  const after = (prototype, name, record) => {
    const call = prototype[name];
    prototype[name] = function (...values) {
      const result = call.apply(this, values);
      record(this, values, result);
      return result;
    };
  };
  const paint = (context) => ({ fill: context.fillStyle, stroke: context.strokeStyle, alpha: context.globalAlpha, width: context.lineWidth,
    dashed: context.getLineDash().length > 0 });
  for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
    after(prototype, 'beginPath', (context) => paths.set(context, []));
    after(prototype, 'moveTo', (context, [x, y]) => pathOf(context).push([placed(context, x, y)]));
    after(prototype, 'lineTo', (context, [x, y]) => {
      const path = pathOf(context);
      if (path.length === 0) path.push([]);
      path[path.length - 1].push(placed(context, x, y));
    });
    after(prototype, 'stroke', (context) => listOf(context.canvas).push({ kind: 'line', parts: pathOf(context).map((part) => [...part]), ...paint(context) }));
    after(prototype, 'fillText', (context, [text, x, y]) => {
      const at = placed(context, x, y);
      listOf(context.canvas).push({ kind: 'text', text: String(text), x: at[0], y: at[1], ...paint(context) });
    });
    after(prototype, 'fillRect', (context, [x, y, width, height]) => {
      const [from, to] = [placed(context, x, y), placed(context, x + width, y + height)];
      listOf(context.canvas).push({ kind: 'rect', left: from[0], top: from[1], right: to[0], bottom: to[1], ...paint(context) });
    });
    after(prototype, 'clearRect', (context, [x, y, width, height]) => {
      if (x <= 0 && y <= 0 && width >= context.canvas.width && height >= context.canvas.height) marks.delete(context.canvas);
    });
    after(prototype, 'putImageData', (context, [image]) => listOf(context.canvas).push({ kind: 'pixels', image }));
    after(prototype, 'drawImage', (context, [source, ...places]) => {
      const whole = [0, 0, source.width, source.height];
      const [sx, sy, sw, sh, dx, dy, dw, dh] = places.length === 8 ? places : [...whole, places[0], places[1], places[2] ?? source.width, places[3] ?? source.height];
      listOf(context.canvas).push({ kind: 'image', marks: [...marks.get(source) ?? []], sx, sy, sw, sh, dx, dy, dw, dh });
    });
  }
  for (const key of ['width', 'height']) {
    const { get, set } = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, key);
    Object.defineProperty(HTMLCanvasElement.prototype, key, { get, set(value) {
      marks.delete(this);
      set.call(this, value);
    } });
  }
  const toBlob = HTMLCanvasElement.prototype.toBlob;
  HTMLCanvasElement.prototype.toBlob = function (taken, ...rest) {
    window.saved = { canvas: this, blob: null };
    toBlob.call(this, (blob) => {
      window.saved.blob = blob;
      taken(blob);
    }, ...rest);
  };
  const flat = (list, x, y, seen) => list.flatMap((mark) => {
    if (mark.kind === 'image') {
      const part = { left: mark.sx, right: mark.sx + mark.sw };
      const [stretch, raise] = [mark.dw / mark.sw, mark.dh / mark.sh];
      return flat(mark.marks, (at) => x(mark.dx + (at - mark.sx) * stretch), (at) => y(mark.dy + (at - mark.sy) * raise), part);
    }
    if (mark.kind === 'line') return [{ ...mark, seen: [x(seen.left), x(seen.right)], parts: mark.parts.map((part) => part.map((at) => [x(at[0]), y(at[1])])) }];
    if (mark.kind === 'text') return [{ ...mark, x: x(mark.x), y: y(mark.y) }];
    if (mark.kind === 'pixels') return [{ ...mark, x, y, seen: [x(seen.left), x(seen.right)] }];
    return [{ ...mark, left: x(Math.max(mark.left, seen.left)), right: x(Math.min(mark.right, seen.right)), top: y(mark.top), bottom: y(mark.bottom) }];
  });
  window.marksOn = (canvas) => flat(marks.get(canvas) ?? [], (x) => x, (y) => y, { left: -Infinity, right: Infinity });
})();
