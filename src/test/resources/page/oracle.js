// Holds what a canvas shows against /api/v1/trend. A place becomes a value and a time by the labels that are drawn, and by nothing else.
(() => {
  const SECOND = 1000;
  const WIDTHS = [1, 2, 5, 10, 20, 50, 100, 200, 500, ...[1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10800, 14400, 21600, 28800,
    43200, 86400, 172800].map((n) => n * SECOND)];
  const LATE = 8 * SECOND; // what a busy machine takes from an event to its picture
  const FAR = 1.25; // a pixel, and what rounding the place of a label is worth

  const numberOf = (text) => {
    const plain = /^-?\d+(\.\d+)?$/.test(text);
    const powers = /^(-?)(?:(\d+(?:\.\d+)?)×)?10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/.exec(text);
    if (plain || !powers) return plain ? +text : NaN;
    const power = [...powers[4]].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit)).join('');
    return +(powers[1] + (powers[2] ?? '1') + 'e' + (powers[3] ? '-' : '') + power);
  };
  // The line through places and numbers, and how far the worst place is from it.
  const fit = (pairs) => {
    const mean = (of) => pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
    const [n, p] = [mean((pair) => pair[0]), mean((pair) => pair[1])];
    const slope = mean((pair) => (pair[0] - n) * (pair[1] - p)) / mean((pair) => (pair[0] - n) ** 2);
    const place = (number) => p + (number - n) * slope;
    return { place, number: (at) => n + (at - p) / slope, worst: Math.max(...pairs.map((pair) => Math.abs(place(pair[0]) - pair[1]))) };
  };

  /** Returns the axis of time that the texts below the plot are. */
  const timeAxis = (texts, plot, say) => {
    const below = texts.filter((each) => each.y > plot.bottom).sort((a, b) => a.x - b.x);
    const row = Math.min(...below.map((each) => each.y));
    let [date, offset] = ['', ''];
    const pairs = below.filter((each) => each.y === row).map(({ text, x }) => {
      const under = below.find((each) => each.y > row && each.x === x)?.text ?? '';
      offset = /[+-]\d\d:\d\d/.exec(under)?.[0] ?? offset;
      date = /^\d{4}(-\d\d-\d\d)?/.exec(under)?.[0] ?? date;
      const day = /^\d\d-\d\d$/.test(text) ? date.slice(0, 4) + '-' + text : /^\d{4}-\d\d$/.test(text) ? text + '-01' : date;
      const clock = text.includes(':') ? (text.length === 5 ? text + ':00' : text) : '00:00:00';
      return [Date.parse(day + 'T' + clock + offset), x];
    });
    if (pairs.length < 2 || pairs.some(([time]) => Number.isNaN(time))) {
      say('times cannot be read: ' + JSON.stringify(below.map((each) => each.text)));
      return null;
    }
    const axis = fit(pairs);
    if (axis.worst > 1) say('labels of times are ' + axis.worst + ' pixels from a line');
    const [hours, minutes] = offset.slice(1).split(':').map(Number);
    return { place: axis.place, time: axis.number, labels: pairs.length, zone: (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60 * SECOND };
  };

  /** Returns the axes of values that the texts beside the plot are, by their titles. */
  const valueAxes = (texts, plot, say) => {
    const axes = new Map();
    for (const title of texts.filter((each) => each.y < plot.top && each.y > plot.top - 30 && (each.x <= plot.left || each.x >= plot.right))) {
      const labels = texts.filter((each) => each.x === title.x && each.y >= plot.top - 1 && each.y <= plot.bottom + 1)
        .map((each) => [numberOf(each.text), each.y]).filter(([number]) => !Number.isNaN(number)).sort((a, b) => a[0] - b[0]);
      if (labels.length < 2) {
        say('the axis ' + title.text + ' has labels ' + JSON.stringify(labels));
        continue;
      }
      if (new Set(labels.map(([number]) => number)).size < labels.length) say('labels of ' + title.text + ' are the same: ' + JSON.stringify(labels));
      const linear = fit(labels);
      const log = labels.every(([number]) => number > 0) ? fit(labels.map(([number, y]) => [Math.log(number), y])) : null;
      const isLog = log && linear.worst > 1 && log.worst < linear.worst;
      const best = isLog ? log : linear;
      if (best.worst > 1) say('labels of ' + title.text + ' are ' + best.worst + ' pixels from a line: ' + JSON.stringify(labels));
      axes.set(title.text, { isLog, labels, place: (value) => (!isLog ? best.place(value) : value > 0 ? best.place(Math.log(value)) : Infinity) });
    }
    return axes;
  };

  const trend = async (channel, from, to, more) => {
    const response = await fetch('/api/v1/trend?' + new URLSearchParams({ channel, from: '@' + (from / 1000).toFixed(6), to: '@' + (to / 1000).toFixed(6), ...more }));
    const answer = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer;
  };

  /** Returns the times in which a value is held, with the value. */
  const heldOf = (answer, now) => {
    const { held, events, group } = answer.channels[0];
    const all = (held ? [{ ...held, time: answer.from }] : []).concat(events.time.map((time, i) =>
      ({ time, value: events.value[i], severity: events.severity[i], state: events.state[i] })));
    const cuts = answer.coverage.find((each) => each.group === group).spans.filter((span) => span.state !== 'answered');
    // In log order an event may be earlier than those before, and ends what they hold.
    const ends = [];
    for (let i = all.length - 1, end = answer.to; i >= 0; i--) {
      ends[i] = end;
      end = Math.min(end, all[i].time);
    }
    return all.flatMap(({ time, value, severity, state }, i) => {
      if (state !== 'value') return [];
      const next = Math.max(time, Math.min(ends[i], now));
      const to = cuts.reduce((end, cut) => (cut.to > time && cut.from < end ? Math.max(time, cut.from) : end), next);
      return time <= now ? [{ from: time, to, value, severity, event: i > 0 || !held }] : [];
    }).sort((a, b) => a.from - b.from);
  };

  /** Holds the picture of a canvas against the data, and returns what is wrong and how much was looked at. */
  window.checkPicture = async (canvas = document.querySelector('#chart canvas')) => {
    const problems = [];
    const say = (text) => problems.length < 12 && problems.push(text);
    const counts = { axes: 0, logAxes: 0, labels: 0, times: 0, steps: 0, bins: 0, columns: 0, gaps: 0, extremes: 0, alarms: 0, states: 0, future: 0 };
    const live = document.getElementById('live').getAttribute('aria-pressed') === 'true';
    // A live page moves the picture in each frame. Its place is that of the last frame but one at most, also if the machine is busy.
    for (let i = 0; live && i < 2; i++) await new Promise(requestAnimationFrame);
    const now = Date.now(); // the server is on this machine
    const marks = window.marksOn(canvas);
    const chart = document.querySelector('#chart canvas');
    const [all, over] = [chart.getBoundingClientRect(), document.querySelector('#chart .u-over').getBoundingClientRect()];
    const ratio = chart.width / all.width;
    const head = canvas.height - chart.height;
    const plot = { left: (over.left - all.left) * ratio, right: (over.right - all.left) * ratio, top: head + (over.top - all.top) * ratio, bottom: head + (over.bottom - all.top) * ratio };
    const names = [...document.querySelectorAll('.card:not(.unknown)')].map((card) => [card.title.split('\n')[0], getComputedStyle(document.documentElement)
      .getPropertyValue('--' + [...card.classList].find((each) => each.startsWith('series')).replace('series', 'series-')).trim().toLowerCase()]);
    const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim().toLowerCase();
    const severities = ['', variable('minor'), variable('major'), variable('invalid')];

    const texts = marks.filter((each) => each.kind === 'text' && each.y > head);
    const times = timeAxis(texts, plot, say);
    const axes = valueAxes(texts, plot, say);
    if (!times) return { problems, counts };
    counts.times = times.labels;
    counts.axes = axes.size;
    const pixel = times.time(1) - times.time(0);
    const [from, to] = [times.time(plot.left), times.time(plot.right)];
    const data = document.getElementById('chart').dataset;
    // What came in the last seconds may be on its way.
    const settled = Math.min(to, now - LATE);
    if (!live && Math.abs(times.place(+data.from) - plot.left) > 1 || !live && Math.abs(times.place(+data.to) - plot.right) > 1) say('the period is not what the labels say');
    const clip = (mark, x, more = 0) => x >= Math.max(plot.left, mark.seen[0]) - more && x <= Math.min(plot.right, mark.seen[1]) + more;

    // Nothing is drawn after now.
    const end = times.place(now) + FAR;
    if (end < plot.right) {
      counts.future++;
      const late = (what, x) => x > end && say(what + ' is drawn ' + (x - end) + ' pixels after now');
      for (const mark of marks.filter((each) => each.seen || each.kind === 'rect' && each.alpha < 1)) {
        if (mark.kind === 'line') {
          const xs = mark.parts.flat().map((each) => Math.min(each[0], mark.seen[1], plot.right));
          late('a line ' + mark.stroke + ' of width ' + mark.width + (mark.dashed ? ', dashed,' : ''), Math.max(...xs));
        } else if (mark.kind === 'rect') {
          late('a state', Math.min(mark.right, plot.right));
        }
      }
    }

    for (const [name, colour] of names) {
      const raw = await trend(name, from - 2 * pixel, to + 2 * pixel, { points: 100000, width: Math.max(1, Math.round(to - from)) + 'ms' });
      const trace = raw.channels[0];
      if (!trace.events) throw new Error(name + ' has too many events');
      const pieces = heldOf(raw, now);
      if (trace.type === 'enum') {
        await checkStates(name, pieces);
        continue;
      }
      const axis = axes.get(trace.unit || name.slice(name.lastIndexOf(':') + 1));
      if (!axis || typeof (pieces[0]?.value ?? 0) !== 'number') {
        if (!axis) say(name + ' has no axis');
        continue;
      }
      counts.labels += axis.labels.length;
      counts.logAxes += axis.isLog ? 1 : 0;
      const lines = marks.filter((each) => each.kind === 'line' && each.seen && each.stroke === colour && !each.dashed);
      const vertices = lines.flatMap((line) => line.parts.flatMap((part) => part.filter(([x]) => clip(line, x))));
      const gaps = lines.flatMap((line) => line.parts.flatMap((part) => part.slice(1).map(([x], i) => x - part[i][0]))).filter((gap) => gap > 0.5).sort((a, b) => a - b);
      const spacing = gaps[gaps.length >> 1] * pixel;
      const width = WIDTHS.find((each) => Math.abs(each / spacing - 1) < 0.2) ?? 0;
      const bins = width > 0 ? await binsOf(name, width) : [];
      const near = (value, y) => typeof value === 'number' && (Math.abs(axis.place(value) - y) <= FAR || axis.place(value) === Infinity && y > plot.bottom);
      const wide = FAR * pixel;
      for (const [x, y] of vertices) {
        const time = times.time(x);
        const inBin = bins.some((bin) => Math.abs(time - bin.time) <= width / 2 + wide && near(bin.mean, y));
        let step = false;
        for (const piece of pieces) {
          if (piece.from > time + wide) break;
          step ||= piece.to >= time - wide && near(piece.value, y);
        }
        counts[step ? 'steps' : 'bins']++;
        const older = width > 0 ? time > settled - width : time > settled && pieces.some((piece) => piece.to > settled - LATE && near(piece.value, y));
        if (!step && !inBin && !older) {
          const truth = pieces.filter((piece) => piece.from <= time).pop();
          say(name + ' is drawn at ' + [x, y] + ', ' + new Date(time).toISOString() + '; the value ' + truth?.value + ' is at ' + (truth && axis.place(truth.value)));
        }
      }
      // Each bin, or each event of it, has a vertex; each extreme its pixel.
      const pixels = marks.filter((each) => each.kind === 'pixels');
      const points = lines.flatMap((line) => line.parts.flatMap((part) => part.filter(([x]) => clip(line, x, 2))));
      const has = (time, value) => points.some(([x, y]) => Math.abs(times.time(x) - time) <= wide && near(value, y));
      for (const bin of bins.filter((each) => each.time > from + width && each.time < settled - width)) {
        const events = pieces.filter((piece) => piece.event && piece.from >= bin.time - width / 2 && piece.from < bin.time + width / 2);
        if (!(typeof bin.mean === 'number' && has(bin.time, bin.mean)) && !events.every((each) => has(each.from, each.value))) {
          say(name + ' has no point at ' + new Date(bin.time).toISOString() + ' of ' + events.length + ' events with the mean ' + bin.mean);
        }
        if (names.length === 1 && typeof bin.mean === 'number' && has(bin.time, bin.mean)) checkExtremes(name, axis, bin, pixels);
      }
      // Labels have the ends of the period but for a pixel: an event there may be beside the period, and not drawn.
      if (bins.length === 0) pieces.filter((each) => each.event && each.from > from + wide && each.from < settled - wide && !has(each.from, each.value))
        .forEach((each) => say(name + ' has no point at ' + new Date(each.from).toISOString() + ' ' + each.value));
      // The line is where a value is known, and nowhere else.
      const spans = lines.flatMap((line) => line.parts.flatMap((part) => part.slice(1).map(([x], i) =>
        [Math.max(part[i][0], line.seen[0]), Math.min(x, line.seen[1])]))).filter(([left, right]) => right >= left).sort((a, b) => a[0] - b[0]);
      const slack = Math.max(2 * pixel, width);
      const drawn = within(spans, 0);
      const known = within(pieces.map((piece) => [piece.from, piece.to]), 0);
      for (let x = Math.ceil(plot.left) + 3; x < plot.right - 3; x++) {
        const [begin, ending] = [times.time(x) - slack, times.time(x) + slack];
        const covered = known(begin, ending);
        if (covered === 1) {
          counts.columns++;
          if (drawn(x - 1, x + 1) === 0 && x < times.place(settled)) say(name + ' has no line at ' + x + ', ' + new Date(times.time(x)).toISOString());
        } else if (covered === 0) {
          counts.gaps++;
          if (drawn(x - 0.2, x + 0.2) > 0) say(name + ' has a line where no value is known, at ' + x + ', ' + new Date(times.time(x)).toISOString());
        }
      }
      checkAlarms(name, axis, pieces, bins, width);
    }
    return { problems, counts };

    async function binsOf(name, width) {
      const first = Math.floor((from - 2 * pixel + times.zone) / width) * width - times.zone;
      const last = first + Math.ceil((to + 2 * pixel - first) / width) * width;
      const answer = await trend(name, first, Math.min(last, Math.max(now, first + 1)), { points: 0, width: width + 'ms' });
      const { time, timeMean, mean, min, max, count, severity } = answer.channels[0].bins;
      return time.map((each, i) => ({ time: each + width / 2, mean: timeMean?.[i] ?? mean?.[i], min: min?.[i], max: max?.[i], count: count[i], severity: severity[i] }));
    }

    /** Returns a function for how far a period is covered: 0 not at all, 1 wholly, 0.5 else. */
    function within(ranges) {
      return (begin, ending) => {
        let at = begin;
        let any = false;
        for (const [left, right] of ranges) {
          if (right < begin || left > ending) continue;
          any = true;
          if (left > at) return 0.5;
          at = Math.max(at, right);
        }
        return any ? (at >= ending ? 1 : 0.5) : 0;
      };
    }

    function checkExtremes(name, axis, bin, pixels) {
      const x = times.place(bin.time);
      for (const mark of pixels) {
        if (x < mark.seen[0] + 2 || x > mark.seen[1] - 2 || bin.count === 0) continue;
        const step = mark.x(1) - mark.x(0);
        const rows = (column) => [...Array(mark.image.height).keys()].filter((row) => mark.image.data[(row * mark.image.width + column) * 4 + 3] > 0);
        const [high, low] = [Math.max(axis.place(bin.max), plot.top), Math.min(axis.place(bin.min), mark.y(mark.image.height))];
        // A bin that is hardly wider than a pixel may have but one column.
        const middle = Math.floor((x - mark.x(0)) / step);
        const columns = [middle - 1, middle, middle + 1].map(rows).filter((each) => each.length > 0);
        if (columns.length === 0) continue;
        counts.extremes++;
        const ends = columns.map((each) => [mark.y(each[0]), mark.y(each[each.length - 1] + 1)]);
        if (!ends.some(([top, bottom]) => Math.abs(top - high) <= 2 && Math.abs(bottom - low) <= 2)) {
          say(name + ' has pixels at ' + JSON.stringify(ends) + ' near ' + x + ', where ' + bin.max + ' is at ' + high + ' and ' + bin.min + ' at ' + low);
        }
      }
    }

    function checkAlarms(name, axis, pieces, bins, width) {
      for (const line of marks.filter((each) => each.kind === 'line' && each.seen && severities.indexOf(each.stroke) > 0 && each.width > 5 * ratio && !each.dashed)) {
        const severity = severities.indexOf(line.stroke);
        for (const [x, y] of line.parts.flat().filter(([x]) => clip(line, x))) {
          const time = times.time(x);
          const wide = FAR * pixel;
          const fits = (each) => each.severity === severity && Math.abs(axis.place(each.value ?? each.mean) - y) <= FAR;
          const step = pieces.some((each) => each.from <= time + wide && each.to >= time - wide && fits(each));
          if (step || bins.some((each) => Math.abs(each.time - time) <= width / 2 + wide && fits(each))) {
            counts.alarms++;
          } else if (names.length === 1) {
            say(name + ' has the severity ' + severity + ' at ' + [x, y] + ', ' + new Date(time).toISOString());
          }
        }
      }
    }

    async function checkStates(name, pieces) {
      const known = await (await fetch('/api/v1/metadata?' + new URLSearchParams({ channel: name }))).json();
      const bands = marks.filter((each) => each.kind === 'rect' && Math.abs(each.alpha - 0.3) < 0.01 && each.right > each.left);
      const labelled = texts.filter((each) => each.x > plot.left && each.x < plot.right);
      const changes = [...pieces.map((each) => each.from), ...pieces.map((each) => each.to)].map(times.place);
      for (const band of bands) {
        const middle = times.time((band.left + band.right) / 2);
        const piece = pieces.find((each) => each.from <= middle && each.to >= middle);
        counts.states++;
        if (!piece) {
          say(name + ' has a state at ' + new Date(middle).toISOString());
          continue;
        }
        // Where the sheets of the page adjoin, a state goes on in another band.
        const seams = bands.filter((each) => each !== band).flatMap((each) => [each.left, each.right]);
        for (const edge of [band.left, band.right].filter((each) => !seams.some((other) => Math.abs(other - each) <= 1.5))) {
          if (edge > plot.left + 2 && edge < times.place(settled) - 2 && !changes.some((each) => Math.abs(each - edge) <= 1 + FAR)) say(name + ' changes at ' + edge);
        }
        const text = labelled.find((each) => each.x >= band.left - 8 && each.x < band.right && Math.abs(each.y - (band.top + band.bottom) / 2) < 4);
        const label = known.labels?.[piece.value] ?? String(piece.value);
        if (text && text.text !== label && !label.startsWith(text.text.replace('…', ''))) say(name + ' is ' + text.text + ' where it is ' + label);
      }
      if (bands.length === 0) say(name + ' has no states');
      for (const [begin, end] of pieces.map((each) => [Math.max(each.from, from), Math.min(each.to, settled)]).filter(([begin, end]) => end - begin > 4 * pixel)) {
        const middle = times.place((begin + end) / 2);
        if (!bands.some((band) => band.left <= middle && band.right >= middle)) say(name + ' has no state at ' + middle);
      }
    }
  };

  /** Reads the labels of random axes, and returns those that do not say where they are. */
  window.checkLabels = async (seed) => {
    const { placeOn, tickTexts, valueTicks } = await import('/page/axes.js');
    const problems = [];
    let state = seed;
    const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
    for (let i = 0; i < 5000; i++) {
      const log = random() < 0.3;
      const size = 10 ** (random() < 0.3 ? random() * 600 - 300 : random() * 24 - 12);
      const middle = (random() * 2 - 1) * size;
      const half = Math.abs(middle) * 10 ** (random() * 9 - 7.5) + 1e-300;
      const most = (value) => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
      const axis = i === 0 ? { min: -Number.MAX_VALUE, max: Number.MAX_VALUE, log: false } : i === 1 ? { min: 5e-324, max: 1e-322, log: false }
        : log ? { min: size, max: most(size * 10 ** (random() * 8 + 0.05)), log } : { min: most(middle - half), max: most(middle + half), log };
      const ticks = valueTicks(axis, 1 + random() * 12);
      const texts = tickTexts(ticks, log);
      const wrong = texts.some((text, j) => !(Math.abs(placeOn(axis, numberOf(text)) - placeOn(axis, ticks[j])) < 0.002));
      if (ticks.length < 2 || wrong || new Set(texts).size < texts.length) problems.push(JSON.stringify(axis) + ' ' + texts);
    }
    return problems.slice(0, 5);
  };
})();
