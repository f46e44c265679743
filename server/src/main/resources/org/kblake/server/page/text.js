// The pages of text, /status and /channel: shown now, after each change of language or theme, and again after some seconds.

import { showChannel } from '/page/channel.js';
import { listenForAppearance } from '/page/appearance.js';
import { banner } from '/page/states.js';
import { showStatus } from '/page/status.js';
import { t } from '/page/words.js';

const SECONDS = 10;

/** @type {number | undefined} */
let timer;

async function again() {
  clearTimeout(timer);
  try {
    await (location.pathname === '/status' ? showStatus : showChannel)();
    banner('away', null);
  } catch (e) {
    const status = /** @type {any} */ (e).status;
    if (status === undefined) throw e;
    banner('away', status === 0 ? t('serverAway', SECONDS) : /** @type {Error} */ (e).message, 'error');
  }
  timer = setTimeout(again, SECONDS * 1000);
}

listenForAppearance(again);
again();
