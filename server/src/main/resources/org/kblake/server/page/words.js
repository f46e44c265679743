// The words of the page in English and Japanese.

/** @type {Record<string, [string, string]>} */
const WORDS = {
  search: ['Search channels', '検索'],
  found: ['Channels found', '見つかったチャンネル'],
  channels: ['Channels', 'チャンネル'],
  period: ['Period', '期間'],
  from: ['From', '開始'],
  to: ['To', '終了'],
  live: ['Live', '最新を追う'],
  liveHelp: ['Follow new values (L)', '最新の値を追う (L)'],
  liveStopped: ['Live stopped: you moved the chart', '図を動かしたので追跡を止めました'],
  back: ['Back to the view before ([)', '前の表示へ戻る ([)'],
  forth: ['Forth to the next view (])', '次の表示へ進む (])'],
  csvHelp: ['Download the events of this period as CSV', 'この期間のイベントを CSV で保存'],
  pngHelp: ['Save the chart as a picture', '図を PNG で保存'],
  linkHelp: ['Copy a link to exactly this view', 'この表示へのリンクをコピー'],
  link: ['Link', 'リンク'],
  linkCopied: ['Link copied', 'リンクをコピーしました'],
  copyLink: ['Copy this link', 'このリンクをコピーしてください'],
  status: ['Status', '状態'],
  otherLanguage: ['日本語', 'English'],
  languageHelp: ['Switch the language', '言語を切り替える'],
  themeHelp: ['Switch between light and dark', '明るい・暗い表示を切り替える'],
  help: ['Keys and gestures (?)', 'キーと操作 (?)'],
  chart: ['Chart: arrow keys move, + and - zoom', '図: 矢印キーで移動、+ と - で拡大縮小'],
  add: ['Add a channel', 'チャンネルを追加'],
  remove: ['Remove {0}', '{0} を外す'],
  about: ['About {0}', '{0} の詳細'],
  group: ['group {0}', 'グループ {0}'],
  // States of coverage
  'answered': ['recorded', '収録済み'],
  'archiver-down': ['archiver down', '収集停止'],
  'pending': ['not readable yet', 'まだ読めません'],
  'not-recorded': ['not recorded', '未収録'],
  'damaged': ['damaged', '欠損'],
  'unavailable': ['unavailable', '表示できません'],
  lossy: ['possibly lossy: {0}', '取りこぼしの可能性: {0}'],
  lostEvent: ['at least {0} event', '{0} 個以上'],
  lostEvents: ['at least {0} events', '{0} 個以上'],
  // Reasons of losses, as the server names them
  'ring full': ['ring full', 'リングバッファ満杯'],
  'no writable disk': ['no writable disk', 'ディスクに書けません'],
  'recorder late': ['recorder late', '収集プログラムの遅れ'],
  'circuit down': ['circuit down', '接続断'],
  'canary jumped': ['canary jumped', 'カナリアの値の飛び'],
  'recorder crashed': ['recorder crashed', '収集プログラムの異常終了'],
  'recorder stopped': ['recorder stopped', '収集プログラムの停止'],
  'several reasons': ['several reasons', '複数の理由'],
  disconnected: ['disconnected', '切断'],
  coverage: ['coverage', '収録状況'],
  overview: ['overview', '全体'],
  overviewHelp: ['Whole recorded time: drag to choose the period', '収録された全期間。ドラッグで期間を選択'],
  // Severities
  severity0: ['no alarm', '正常'],
  severity1: ['minor', '軽度'],
  severity2: ['major', '重度'],
  severity3: ['invalid', '無効'],
  // Read-out
  min: ['min', '最小'],
  max: ['max', '最大'],
  inPixel: ['{0} events in this pixel', 'この画素に {0} 個'],
  noValue: ['no value', '値なし'],
  updated: ['{0} ago', '{0}前'],
  year: ['{0} y', '{0}年'],
  day: ['{0} d', '{0}日'],
  hour: ['{0} h', '{0}時間'],
  minute: ['{0} min', '{0}分'],
  second: ['{0} s', '{0}秒'],
  millisecond: ['{0} ms', '{0}ミリ秒'],
  // Axes
  axis: ['Axis {0}', '軸 {0}'],
  scale: ['Scale', '目盛'],
  automatic: ['automatic', '自動'],
  linear: ['linear', '線形'],
  logarithmic: ['logarithmic', '対数'],
  range: ['Range', '範囲'],
  limits: ['display limits', '表示限界'],
  fixed: ['fixed', '固定'],
  wrongRange: ['The second number must be greater than the first', '2番目の数は1番目より大きくしてください'],
  wrongLogRange: ['A logarithmic axis has only numbers above 0', '対数軸の数は0より大きくしてください'],
  apply: ['Apply', '適用'],
  close: ['Close', '閉じる'],
  // States of the page
  emptyTitle: ['Which channel?', 'どのチャンネルを見ますか'],
  emptyText: ['Type parts of a name in any order, such as "{0}". Press / to search.',
    '名前の一部を順不同で入力します（例: {0}）。「/」キーで検索できます。'],
  emptyExamples: ['Or begin with one of these:', 'または次から選びます:'],
  nothingFound: ['No channel has "{0}" in its name', '「{0}」を含むチャンネルはありません'],
  nearest: ['Nearest names', '近い名前'],
  more: ['More than {0} channels: type more of the name', '{0} 件以上あります。続けて入力してください'],
  noEvents: ['No events in this period', 'この期間にイベントはありません'],
  recorded: ['Recorded {0} to {1}', '収録期間 {0} から {1}'],
  lastValue: ['last value {0}', '最後の値 {0}'],
  lookBack: ['No value since {0}; older values were not searched', '{0} 以降に値がありません。それより前は検索していません'],
  goThere: ['Go there', 'そこへ移動'],
  unknownChannel: ['No channel is named {0}', '{0} というチャンネルはありません'],
  incomplete: ['Incomplete', '不完全'],
  incompleteText: ['This answer is incomplete: {0}', 'この応答は不完全です: {0}'],
  incompleteCut: ['the answer was cut off', '応答が途中で切れました'],
  incompleteRead: ['some events could not be read', '読めないイベントがあります'],
  serverAway: ['The server does not answer. What you see stays; retried every {0} s.',
    'サーバーが応答しません。表示はそのまま残り、{0} 秒ごとに再試行します。'],
  tooMuch: ['Too much is asked', '要求が大きすぎます'],
  wrongPeriod: ['This period is not understood', 'この期間は解釈できません'],
  wrong: ['The server refused the request', 'サーバーが要求を拒否しました'],
  tooMany: ['Too many requests: retried in {0} s', '要求が多すぎます。{0} 秒後に再試行します'],
  retry: ['Try again', '再試行'],
  dismiss: ['Dismiss', '閉じる'],
  // Keys
  keysTitle: ['Keys and gestures', 'キーと操作'],
  keyArrows: ['Move by half the period', '期間の半分だけ移動'],
  keyZoom: ['Zoom in, zoom out', '拡大、縮小'],
  keyLive: ['Follow new values', '最新を追う'],
  keySearch: ['Search channels', 'チャンネルを検索'],
  keyExtreme: ['Next extreme; Enter goes to its instant', '次の極値。Enter でその時刻へ'],
  keyHistory: ['Back, forth', '戻る、進む'],
  keyHelp: ['This help', 'この説明'],
  gestureWheel: ['Wheel', 'ホイール'],
  gestureDrag: ['Drag', 'ドラッグ'],
  gestureShift: ['Shift + drag', 'Shift + ドラッグ'],
  gestureDouble: ['Double click', 'ダブルクリック'],
  gestureClick: ['Click on an extreme', '極値をクリック'],
  gesturePinch: ['Pinch', 'ピンチ'],
  doWheel: ['Zoom at the cursor', 'カーソル位置で拡大縮小'],
  doDrag: ['Move in time', '時間を移動'],
  doShift: ['Zoom to the selection', '選んだ範囲へ拡大'],
  doDouble: ['Show the whole recorded time', '収録された全期間を表示'],
  doClick: ['Go to its instant', 'その時刻へ移動'],
  doPinch: ['Zoom', '拡大縮小'],
  // Status page
  statusTitle: ['Status of the archive', 'アーカイブの状態'],
  state: ['State', '状態'],
  groupName: ['Group', 'グループ'],
  newest: ['Newest event', '最新イベント'],
  lag: ['Lag', '遅れ'],
  lastDay: ['Last 24 hours', '直近 24 時間'],
  storeSize: ['Store', '格納量'],
  jobs: ['Jobs', '処理'],
  trends: ['Trends', 'トレンド'],
  none: ['none', 'なし'],
  // Channel page
  unknown: ['unknown', '不明'],
  type: ['Type', '型'],
  unit: ['Unit', '単位'],
  precision: ['Precision', '精度'],
  description: ['Description', '説明'],
  aliases: ['Aliases', '別名'],
  displayLimits: ['Display limits', '表示限界'],
  alarmLimits: ['Alarm limits', '警報限界'],
  warningLimits: ['Warning limits', '警告限界'],
  labels: ['States', '状態名'],
  recordedPeriod: ['Recorded', '収録期間'],
  lastValueName: ['Last value', '最後の値'],
  showTrend: ['Show the trend', 'トレンドを表示'],
  now: ['now', '現在'],
};

/** @type {'en' | 'ja'} */
let language = 'en';

/** Takes the language from the address, the user's choice, or the browser. */
export function chooseLanguage() {
  const asked = new URLSearchParams(location.search).get('lang') ?? localStorage.getItem('language');
  const wanted = asked ?? navigator.language;
  show(wanted.startsWith('ja') ? 'ja' : 'en');
}

/** Takes the user's choice.
 * @param {'en' | 'ja'} wanted */
export function setLanguage(wanted) {
  localStorage.setItem('language', wanted);
  show(wanted);
}

/** @param {'en' | 'ja'} wanted */
function show(wanted) {
  language = wanted;
  document.documentElement.lang = wanted;
  translate(document.body);
}

/** Returns the language in use. */
export function currentLanguage() { return language; }

/** Returns a text in the language in use.
 * @param {string} key @param {...(string | number)} values of {0}, {1} */
export function t(key, ...values) {
  const text = (WORDS[key] ?? [key, key])[language === 'ja' ? 1 : 0];
  return text.replace(/\{(\d)\}/g, (_, i) => String(values[+i]));
}

/** Sets the texts of elements with data-t, data-label and data-hint.
 * @param {HTMLElement} root */
function translate(root) {
  for (const element of root.querySelectorAll('[data-t], [data-label], [data-hint]')) {
    const { t: text, label, hint } = /** @type {HTMLElement} */ (element).dataset;
    if (text) element.textContent = t(text);
    if (label) {
      element.setAttribute('aria-label', t(label));
      element.setAttribute('title', t(label));
    }
    if (hint) {
      element.setAttribute('placeholder', t(hint));
      element.setAttribute('aria-label', t(hint));
    }
  }
}
