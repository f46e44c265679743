// Language and theme, which a page chooses when it is opened, and the user switches.

import { byId } from '/page/dom.js';
import { chooseTheme, switchTheme } from '/page/theme.js';
import { chooseLanguage, currentLanguage, setLanguage } from '/page/words.js';

/** Chooses language and theme, and listens for changes.
 * @param {() => void} changed */
export function listenForAppearance(changed) {
  chooseTheme();
  chooseLanguage();
  byId('language').addEventListener('click', () => {
    setLanguage(currentLanguage() === 'ja' ? 'en' : 'ja');
    changed();
  });
  byId('theme').addEventListener('click', () => {
    switchTheme();
    changed();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    chooseTheme();
    changed();
  });
}
