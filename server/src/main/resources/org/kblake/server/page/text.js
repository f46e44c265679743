// What the pages of text have in common: language, theme, and requests that are repeated.

import { byId } from '/page/dom.js';
import { banner } from '/page/states.js';
import { chooseTheme, switchTheme } from '/page/theme.js';
import { chooseLanguage, currentLanguage, setLanguage, t } from '/page/words.js';

/** Shows a page now, after each change of language or theme, and again after some seconds.
 * @param {() => Promise<void>} show
 * @param {number} seconds */
export function keepShowing(show, seconds) {
  /** @type {number | undefined} */
  let timer;
  const again = async () => {
    clearTimeout(timer);
    try {
      await show();
      banner('away', null);
    } catch (e) {
      const status = /** @type {any} */ (e).status;
      if (status === undefined) throw e;
      banner('away', status === 0 ? t('serverAway', seconds) : /** @type {Error} */ (e).message, 'error');
    }
    timer = setTimeout(again, seconds * 1000);
  };
  byId('language').addEventListener('click', () => {
    const language = currentLanguage() === 'ja' ? 'en' : 'ja';
    localStorage.setItem('language', language);
    setLanguage(language);
    again();
  });
  byId('theme').addEventListener('click', () => {
    switchTheme();
    again();
  });
  chooseTheme();
  chooseLanguage();
  again();
}
