// The chart: uPlot has the axes, the scales and the cursor; the traces are copied from a picture.

import uPlot from '/page/uplot/uPlot.esm.js';
import { placeOn, tickTexts, valueTicks } from '/page/axes.js';
import { LANE_HEIGHTS } from '/page/lanes.js';
import { Picture } from '/page/picture.js';
import { hatching } from '/page/shapes.js';
import { colourOf, colours } from '/page/theme.js';
import { timeTicks, Zone } from '/page/time.js';
import { numberText, shortName } from '/page/values.js';
import { t } from '/page/words.js';

const GUTTER = 72;
const TOP = 24;
const BOTTOM = 48;
const EDGE = 40;
const QUIET = ['answered', 'not-recorded', 'pending'];

/** @typedef {import('./axes.js').Axis} Axis @typedef {import('./lanes.js').Lane} Lane @typedef {import('./picture.js').Scene} Scene
 * @typedef {import('./values.js').Extreme} Extreme */

export class Chart {
  /** @param {HTMLElement} element @param {(time: number | null) => void} pointed is called when the cursor moves @param {() => void} shown after new data are drawn */
  constructor(element, pointed, shown) {
    this.shown = shown;
    this.element = element;
    this.pointed = pointed;
    this.zone = new Zone('UTC');
    this.from = 0;
    this.to = 0;
    this.now = 0;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Extreme | null} */
    this.marked = null;
    this.away = false;
    this.picture = new Picture((scene) => this.show(scene));
    /** @type {uPlot | null} */
    this.plot = null;
    this.layout = '';
    this.frame = 0;
    this.ticks = { times: /** @type {number[]} */ ([]), labels: /** @type {string[]} */ ([]) };
  }

  /** Returns the size of type relative to the usual one. */
  get scale() { return parseFloat(getComputedStyle(document.documentElement).fontSize) / 14; }

  /** Returns the place of the plotting area in the element, in CSS pixels. */
  box() {
    const plot = this.plot;
    if (!plot) {
      const gutter = GUTTER * this.scale;
      return { left: gutter, width: Math.max(50, this.element.clientWidth - gutter - EDGE), height: Math.max(50, this.element.clientHeight - TOP - BOTTOM) };
    }
    const ratio = devicePixelRatio || 1;
    return { left: plot.bbox.left / ratio, width: plot.bbox.width / ratio, height: plot.bbox.height / ratio };
  }

  /** Shows another period. What was drawn moves with it.
   * @param {number} from @param {number} to */
  move(from, to) {
    this.from = from;
    this.to = to;
    this.refresh();
  }

  /** Draws the next frame anew. */
  refresh() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.plot?.setScale('x', { min: this.from, max: this.to });
    });
  }

  /** Draws loaded data, and shows them as soon as all are drawn.
   * @param {Omit<Scene, 'perPixel' | 'width' | 'height' | 'curveHeight' | 'stamp' | 'lanes'>} parts @param {Omit<Lane, 'top' | 'height'>[]} lanes */
  draw(parts, lanes) {
    const area = this.area(parts.axes);
    const gaps = lanes.length > 0 ? 8 : 0;
    const wanted = lanes.reduce((sum, lane) => sum + LANE_HEIGHTS[lane.kind], gaps);
    const shrink = Math.min(1, area.height * (parts.axes.length > 0 ? 0.6 : 1) / Math.max(1, wanted));
    let top = parts.axes.length > 0 ? area.height - wanted * shrink + gaps : gaps;
    const placed = lanes.map((lane) => {
      const height = LANE_HEIGHTS[lane.kind] * shrink;
      top += height;
      return { ...lane, top: top - height, height };
    });
    const curveHeight = parts.axes.length > 0 ? area.height - wanted * shrink : 0;
    const perPixel = (this.to - this.from) / area.width;
    const stamp = [perPixel.toPrecision(6), area.height, curveHeight, devicePixelRatio, document.documentElement.dataset.theme, parts.focus,
      JSON.stringify([parts.axes, placed]), parts.names.map(colourOf), [...parts.metadata.values()].filter((each) => each.labels).length].join('|');
    this.picture.draw({ ...parts, lanes: placed, curveHeight, perPixel, width: area.width, height: area.height, stamp });
  }

  /** Returns the size that the plotting area will have with some axes.
   * @param {Axis[]} axes */
  area(axes) {
    const gutter = GUTTER * this.scale;
    const left = Math.max(1, Math.ceil(axes.length / 2)) * gutter;
    const right = axes.length > 1 ? Math.floor(axes.length / 2) * gutter : EDGE;
    return {
      width: Math.max(50, this.element.clientWidth - left - right),
      height: Math.max(50, this.element.clientHeight - (TOP + BOTTOM) * this.scale),
    };
  }

  /** Returns the place that the plotting area will have with some axes, in CSS pixels.
   * @param {Axis[]} axes */
  place(axes) {
    return { left: Math.max(1, Math.ceil(axes.length / 2)) * GUTTER * this.scale, width: this.area(axes).width };
  }

  /** @param {Scene} scene */
  show(scene) {
    this.scene = scene;
    const layout = JSON.stringify([scene.axes.map((axis) => [axis.key, axis.log, axis.names[0]]), this.element.clientWidth,
      this.element.clientHeight, document.documentElement.dataset.theme, this.scale]);
    if (layout !== this.layout) {
      this.layout = layout;
      this.build(scene);
    }
    Object.assign(this.element.dataset, { from: this.from, to: this.to, drawn: scene.names.join(',') });
    this.refresh();
    this.shown();
  }

  /** Removes what is shown. */
  clear() {
    this.picture.job++;
    this.plot?.destroy();
    this.plot = null;
    this.scene = null;
    this.layout = '';
    delete this.element.dataset.drawn;
  }

  /** @param {Scene} scene */
  build(scene) {
    this.plot?.destroy();
    const palette = colours();
    const gutter = GUTTER * this.scale;
    const font = 12 * this.scale + 'px ' + getComputedStyle(document.body).fontFamily;
    const grid = { stroke: palette.line, width: 1 };
    const axes = scene.axes.length > 0 ? scene.axes : [{ key: '', unit: '', names: [], log: false, min: 0, max: 1, auto: true, known: false }];
    const present = (/** @type {number} */ i) => this.scene?.axes[i] ?? axes[i];
    /** @type {uPlot.Options} */
    const options = {
      width: this.element.clientWidth,
      height: this.element.clientHeight,
      padding: [TOP * this.scale, axes.length > 1 ? 0 : EDGE, 0, 0],
      legend: { show: false },
      cursor: {
        x: true, y: false, points: { show: false }, drag: { x: false, y: false, setScale: false },
        bind: { mousedown: () => null, mouseup: () => null, click: () => null, dblclick: () => null },
      },
      scales: { x: { time: false, auto: false } },
      series: [{}],
      axes: [{
        scale: 'x', font, stroke: palette.muted, size: BOTTOM * this.scale, grid, ticks: { ...grid, size: 6 }, gap: 4,
        splits: (plot, _, min, max) => {
          this.ticks = timeTicks(this.zone, min, max, plot.bbox.width / (devicePixelRatio || 1) / (90 * this.scale));
          return this.ticks.times;
        },
        values: () => this.ticks.labels,
      }],
      hooks: {
        draw: [() => this.paint()],
        setCursor: [(plot) => {
          const left = plot.cursor.left ?? -1;
          this.pointed(left < 0 ? null : plot.posToVal(left, 'x'));
        }],
      },
    };
    axes.forEach((axis, i) => {
      const lone = axis.names.length === 1 && axes.length > 1;
      /** @type {Record<string, uPlot.Scale>} */ (options.scales)['y' + i] = {
        auto: false, distr: axis.log ? 3 : 1, range: () => this.fullRange(present(i)),
      };
      options.series.push({ scale: 'y' + i, show: true, paths: () => null, points: { show: false } });
      options.axes?.push({
        scale: 'y' + i, side: i % 2 === 0 ? 3 : 1, size: gutter, font, gap: 6, grid: { ...grid, show: i === 0 }, ticks: { ...grid, size: 4 },
        stroke: lone ? palette.series[colourOf(axis.names[0])] : palette.muted,
        splits: () => (present(i).known ? valueTicks(present(i), scene.curveHeight / (56 * this.scale)) : []),
        filter: (_, splits) => splits,
        values: (_, splits) => tickTexts(splits, present(i).log),
      });
    });
    this.plot = new uPlot(options, [[this.from, this.to], ...axes.map(() => [null, null])], this.element);
    this.plot.setScale('x', { min: this.from, max: this.to });
  }

  /** Returns the range of a scale over the height of the plot: that of the axis, and below it that of the lanes.
   * @param {Axis} axis
   * @returns {[number, number]} */
  fullRange(axis) {
    const scene = this.scene;
    const share = scene && scene.curveHeight > 0 ? (scene.height - scene.curveHeight) / scene.curveHeight : 0;
    return axis.log ? [axis.min / (axis.max / axis.min) ** share, axis.max] : [axis.min - (axis.max - axis.min) * share, axis.max];
  }

  paint() {
    const { plot, scene } = this;
    if (!plot || !scene) return;
    const { ctx: context, bbox } = plot;
    const palette = colours();
    const ratio = devicePixelRatio || 1;
    const unit = ratio * this.scale;
    const x = (/** @type {number} */ time) => bbox.left + (time - this.from) / (this.to - this.from) * bbox.width;
    context.save();
    context.beginPath();
    context.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    context.clip();
    const names = this.hatch(context, x, palette);
    context.globalAlpha = this.away ? 0.35 : 1;
    this.picture.copy(context, x, bbox.left, bbox.left + bbox.width, bbox.top, bbox.height);
    context.globalAlpha = 1;
    context.font = 12 * unit + 'px ' + getComputedStyle(document.body).fontFamily;
    for (const { middle, room, text } of names) {
      label(context, palette, text, middle, bbox.top + (scene.curveHeight || scene.height) * ratio / 2, room, unit);
    }
    if (this.now > this.from && this.now < this.to) {
      context.fillStyle = palette.accent;
      context.fillRect(Math.round(x(this.now)), bbox.top, ratio, bbox.height);
    }
    this.mark(context, palette, unit);
    context.restore();
    context.save();
    context.font = 12 * unit + 'px ' + getComputedStyle(document.body).fontFamily;
    context.fillStyle = palette.muted;
    context.textBaseline = 'alphabetic';
    scene.axes.forEach((axis, i) => {
      const right = i % 2 === 1;
      const outward = Math.floor(i / 2) * GUTTER * unit;
      const lone = axis.names.length === 1 && scene.axes.length > 1;
      context.fillStyle = lone ? palette.series[colourOf(axis.names[0])] : palette.muted;
      context.textAlign = right ? 'left' : 'right';
      const text = axis.unit || axis.key;
      context.fillText(text, right ? bbox.left + bbox.width + outward + 10 * unit : bbox.left - outward - 10 * unit, bbox.top - 10 * unit, (GUTTER - 8) * unit);
    });
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    for (const lane of scene.lanes) {
      context.fillStyle = palette.series[colourOf(lane.name)];
      context.fillText(shortName(lane.name).split(':').slice(-1)[0], bbox.left - 8 * unit, bbox.top + (lane.top + lane.height / 2) * ratio, (GUTTER - 16) * unit);
    }
    context.restore();
  }

  /** Hatches the times without data, and returns their names and places.
   * @param {CanvasRenderingContext2D} context
   * @param {(time: number) => number} x @param {import('./theme.js').Palette} palette */
  hatch(context, x, palette) {
    const scene = /** @type {Scene} */ (this.scene);
    const bbox = /** @type {uPlot} */ (this.plot).bbox;
    /** @type {Map<string, {from: number, to: number, state: string, groups: Set<string>}>} */
    const gaps = new Map();
    const groups = new Set();
    for (const sheet of scene.sheets) {
      for (const { group, spans } of sheet.coverage) {
        groups.add(group);
        for (const span of spans) {
          if (!QUIET.includes(span.state) && span.to > this.from && span.from < this.to) {
            const before = [...gaps.values()].find((each) => each.state === span.state && each.groups.has(group) && each.to === span.from);
            if (before) {
              before.to = span.to;
              continue;
            }
            const key = [span.from, span.to, span.state].join();
            const gap = gaps.get(key) ?? { from: span.from, to: span.to, state: span.state, groups: new Set() };
            gap.groups.add(group);
            gaps.set(key, gap);
          }
        }
      }
    }
    const names = [];
    for (const gap of gaps.values()) {
      const begin = Math.max(bbox.left, x(gap.from));
      const end = Math.min(bbox.left + bbox.width, x(gap.to));
      const bad = gap.state === 'damaged';
      context.fillStyle = hatching(context, bad ? palette.severity[2] : palette.hatch, bad);
      context.fillRect(begin, bbox.top, Math.max(1, end - begin), bbox.height);
      const which = gap.groups.size < groups.size ? ' · ' + [...gap.groups].join(', ') : '';
      names.push({ middle: (begin + end) / 2, room: end - begin, text: t(gap.state) + which });
    }
    return names;
  }

  /** Shows the extreme that the user points at.
   * @param {CanvasRenderingContext2D} context @param {import('./theme.js').Palette} palette @param {number} unit */
  mark(context, palette, unit) {
    const place = this.marked && this.placeOf(this.marked);
    if (this.marked && place) {
      const colour = palette.series[colourOf(this.marked.name)];
      context.lineWidth = 2 * unit;
      context.strokeStyle = colour;
      context.fillStyle = palette.panel;
      context.beginPath();
      context.arc(place.x, place.y, 5 * unit, 0, 7);
      context.fill();
      context.stroke();
      const text = t(this.marked.kind) + ' ' + numberText(this.marked.value, this.scene?.metadata.get(this.marked.name)?.precision) + '  '
        + this.zone.text(this.marked.time, 1);
      const bbox = /** @type {uPlot} */ (this.plot).bbox;
      const half = context.measureText(text).width / 2 + 8 * unit;
      const middle = Math.min(Math.max(place.x, bbox.left + half), bbox.left + bbox.width - half);
      label(context, palette, text, middle, place.y + (place.y - bbox.top > 40 * unit ? -20 : 22) * unit, Infinity, unit);
    }
  }

  /** Returns the place of an extreme in pixels of the screen, or null if it is not in the plot.
   * @param {Extreme} extreme */
  placeOf(extreme) {
    const axis = this.scene?.axes.find((each) => each.names.includes(extreme.name));
    if (!axis || !this.plot || !this.scene || extreme.time < this.from || extreme.time > this.to) return null;
    const { bbox } = this.plot;
    const height = this.scene.curveHeight * (devicePixelRatio || 1);
    return { x: bbox.left + (extreme.time - this.from) / (this.to - this.from) * bbox.width, y: bbox.top + height * (1 - placeOn(axis, extreme.value)) };
  }
}

/** Writes a text in a box; upright if there is no room for it.
 * @param {CanvasRenderingContext2D} context
 * @param {import('./theme.js').Palette} palette @param {string} text @param {number} x of its middle @param {number} y @param {number} room
 * @param {number} unit */
function label(context, palette, text, x, y, room, unit) {
  const width = context.measureText(text).width + 16 * unit;
  const height = 20 * unit;
  if (room < 16 * unit) return;
  context.save();
  context.translate(x, y);
  if (width > room) context.rotate(-Math.PI / 2);
  context.fillStyle = palette.panel;
  context.strokeStyle = palette.line;
  context.lineWidth = unit;
  context.beginPath();
  context.rect(-width / 2, -height / 2, width, height);
  context.fill();
  context.stroke();
  context.fillStyle = palette.ink;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, 0, 0.5 * unit);
  context.restore();
}
