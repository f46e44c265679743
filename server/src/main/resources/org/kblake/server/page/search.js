// Search as you type.

import { askChannels } from '/page/api.js';
import { make } from '/page/dom.js';
import { t } from '/page/words.js';

const LIMIT = 50;

export class Search {
  /** @param {HTMLInputElement} input @param {HTMLElement} list @param {(name: string) => void} chosen @param {(error: any) => void} failed */
  constructor(input, list, chosen, failed) {
    this.input = input;
    this.list = list;
    this.chosen = chosen;
    this.failed = failed;
    /** @type {string[]} */
    this.names = [];
    this.at = -1;
    /** @type {AbortController | null} */
    this.control = null;
    input.addEventListener('input', () => this.search());
    input.addEventListener('focus', () => this.search());
    input.addEventListener('blur', () => setTimeout(() => this.close(), 150));
    input.addEventListener('keydown', (event) => this.key(event));
    list.addEventListener('mousedown', (event) => event.preventDefault());
  }

  async search() {
    const text = this.input.value.trim();
    this.control?.abort();
    if (text === '') {
      this.close();
      return;
    }
    const control = this.control = new AbortController();
    try {
      const answer = await askChannels(text, LIMIT + 1, control.signal);
      if (!control.signal.aborted) this.show(text, answer);
    } catch (e) { if (!control.signal.aborted) this.failed(e); }
  }

  /** @param {string} text @param {{channels: import('./api.js').Found[], nearest?: string[]}} answer */
  show(text, answer) {
    const channels = answer.channels.slice(0, LIMIT);
    const nearest = channels.length === 0 ? answer.nearest ?? [] : [];
    this.names = channels.length > 0 ? channels.map((each) => each.name) : nearest;
    const parts = text.split(/\s+/);
    const items = channels.length > 0
      ? channels.map((each, i) => this.item(i, marked(each.name, parts), each.group, each.type))
      : nearest.map((name, i) => this.item(i, [name], '', ''));
    this.list.replaceChildren(
      ...(channels.length === 0 ? [make('li.note', { role: 'presentation' }, t('nothingFound', text))] : []),
      ...(nearest.length > 0 ? [make('li.note.heading', { role: 'presentation' }, t('nearest'))] : []),
      ...items,
      ...(answer.channels.length > LIMIT ? [make('li.note', { role: 'presentation' }, t('more', LIMIT))] : []));
    this.list.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
    this.select(this.names.length > 0 && channels.length > 0 ? 0 : -1);
  }

  /** @param {number} i @param {(Node | string)[]} name @param {string} group @param {string} type */
  item(i, name, group, type) {
    return make('li', { role: 'option', id: 'found' + i, 'aria-selected': 'false', click: () => this.choose(i), mousemove: () => this.select(i) },
      make('span.name', {}, ...name), make('span.note', {}, group), make('span.note', {}, type));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.names.length > 0) {
      event.preventDefault();
      this.select((this.at + step + this.names.length) % this.names.length);
    } else if (event.key === 'Enter' && this.at >= 0) {
      event.preventDefault();
      this.choose(this.at);
    } else if (event.key === 'Escape') {
      this.input.value = '';
      this.close();
      this.input.blur();
    }
  }

  /** @param {number} at */
  select(at) {
    this.list.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
    this.at = at;
    const item = document.getElementById('found' + at);
    item?.setAttribute('aria-selected', 'true');
    item?.scrollIntoView({ block: 'nearest' });
    this.input.setAttribute('aria-activedescendant', at >= 0 ? 'found' + at : '');
  }

  /** @param {number} i */
  choose(i) {
    const name = this.names[i];
    this.input.value = '';
    this.close();
    this.chosen(name);
  }

  close() {
    this.list.hidden = true;
    this.at = -1;
    this.names = [];
    this.input.setAttribute('aria-expanded', 'false');
  }
}

/** Returns a name whose found parts are marked.
 * @param {string} name @param {string[]} parts @returns {(Node | string)[]} */
function marked(name, parts) {
  const found = new RegExp('(' + parts.map((part) => part.replace(/\W/g, '\\$&')).join('|') + ')', 'i');
  return name.split(found).map((piece, i) => (i % 2 === 1 ? make('mark', {}, piece) : piece));
}
