package org.kblake.test.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.interactions.Actions;

/** What a user does with the trend page, in Chromium. */
@Tag("browser")
final class TrendPageTest {

  private static final String CURRENT = "BMLDCCT:CURRENT";
  private static final String HOUR =
      "/?c=" + CURRENT + "&from=2024-05-20T09:00&to=2024-05-20T10:00";
  private static final double HOUR_MILLIS = 3_600_000;

  @TempDir private static Path directory;

  private static ServedArchiveFixture served;
  private static Browser browser;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    served = ServedArchiveFixture.day(directory.resolve("archive"));
    browser = Browser.start("en", false);
  }

  @AfterAll
  static void stop() throws IOException, InterruptedException {
    browser.close();
    served.close();
  }

  @BeforeEach
  void usualWindow() {
    browser.size(1280, 720).theme("light");
    browser.errors();
  }

  /** The policy of the page forbids scripts and styles inside of it: the console tells of them. */
  @AfterEach
  void noErrors() {
    browser.assertNoErrors();
  }

  @Test
  void anEmptyPageHasThreeExamplesToClick() {
    browser.open(served.address() + "/");
    browser.awaitText("#state", "Which channel?");
    assertThat(browser.elements(".example")).hasSize(3);

    browser.elements(".example").get(0).click();
    browser.awaitDrawn();

    assertThat(browser.elements(".card")).hasSize(1);
    assertThat(browser.driver().getCurrentUrl()).contains("?c=");
  }

  @Test
  void channelsAreFoundAsOneTypesAndPlotted() {
    browser.open(served.address() + "/?" + ServedArchiveFixture.DAY);
    browser.awaitText("#state", "Which channel?");
    browser.press("/");
    new Actions(browser.driver()).sendKeys("cur dcct").perform();
    browser.await("return document.querySelectorAll('#found [role=option]').length === 2");
    assertThat(browser.text("#found")).contains(CURRENT).contains("BM/DCCT");

    new Actions(browser.driver()).sendKeys(Keys.ARROW_DOWN, Keys.ARROW_UP).perform();
    String name = browser.text("#found [aria-selected=true] .name");
    new Actions(browser.driver()).sendKeys(Keys.ENTER).perform();
    browser.awaitDrawn();

    assertThat(browser.text(".card .name")).isEqualTo(name);
    double[] period = browser.period();
    String colour = browser.colour(name);
    int drawn = 0;
    for (int i = 1; i < 20; i++) {
      drawn += browser.pixels(period[0] + (period[1] - period[0]) * i / 20, colour) > 0 ? 1 : 0;
    }
    assertThat(drawn).as("columns of 19 that have the curve").isGreaterThan(12);
  }

  @Test
  void aNameThatIsNotThereGetsTheNearestNames() {
    browser.openChart(served.address() + HOUR);
    browser.type("#search", "BMLDCT:CURENT");
    browser.awaitText("#found", "No channel has \"BMLDCT:CURENT\" in its name");
    browser.awaitText("#found", CURRENT);
  }

  @Test
  void aChannelIsRemovedAndAnotherKeepsItsColour() {
    browser.openChart(
        served.address() + HOUR.replace(CURRENT, CURRENT + ",BMHDCCT:CURRENT,BMLDCCT:LIFE"));
    String colour = browser.colour("BMLDCCT:LIFE");
    browser.script("document.querySelectorAll('.card .tools button')[1].click(); return true");
    browser.await("return document.querySelectorAll('.card').length === 2");
    browser.awaitDrawn();

    assertThat(browser.colour("BMLDCCT:LIFE")).isEqualTo(colour);
    assertThat(browser.driver().getCurrentUrl()).contains("c=" + CURRENT + ",BMLDCCT:LIFE&");
  }

  @Test
  void wheelDragSelectionAndDoubleClickMoveThePeriod() {
    browser.openChart(served.address() + HOUR);
    double[] begin = browser.period();
    assertThat(begin[1] - begin[0]).isEqualTo(HOUR_MILLIS);

    browser.at(0.5, 0.4).clickAndHold().moveByOffset(-200, 0).release().perform();
    double[] panned = browser.awaitPeriodOtherThan(begin);
    assertThat(panned[0]).isGreaterThan(begin[0]);
    assertThat(panned[1] - panned[0]).isCloseTo(HOUR_MILLIS, within(2));

    browser.at(0.25, 0.4).keyDown(Keys.SHIFT).clickAndHold().perform();
    browser.at(0.75, 0.4).release().keyUp(Keys.SHIFT).perform();
    double[] selected = browser.awaitPeriodOtherThan(panned);
    assertThat(selected[1] - selected[0]).isCloseTo(HOUR_MILLIS / 2, within(HOUR_MILLIS / 50));

    browser.script(
        """
        const over = document.querySelector('.u-over'), r = over.getBoundingClientRect();
        over.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, deltaY: 100,
          clientX: r.left + r.width / 2, clientY: r.top + 50 }));
        return true;
        """);
    double[] zoomed = browser.awaitPeriodOtherThan(selected);
    assertThat(zoomed[1] - zoomed[0]).isGreaterThan(selected[1] - selected[0]);
    assertThat((zoomed[0] + zoomed[1]) / 2)
        .as("the cursor's time stays")
        .isCloseTo((selected[0] + selected[1]) / 2, within(HOUR_MILLIS / 100));

    browser.at(0.5, 0.4).doubleClick().perform();
    double[] all = browser.awaitPeriodOtherThan(zoomed);
    assertThat(all[1] - all[0]).isGreaterThan(23 * HOUR_MILLIS);
  }

  /** While the pointer drags the plot, the page shows a picture of it that was drawn before. */
  @Test
  void aDraggedPlotIsWhatIsDrawnAfterThePause() {
    browser.openChart(
        served.address() + HOUR.replace(CURRENT, CURRENT + ",CGOPE:STATUS:MODE") + "&y=mA~0~1500");
    awaitPeriodsBeside();
    browser.settle();
    List<?> shares =
        (List<?>)
            browser.later(
                """
                const done = arguments[0], chart = document.getElementById('chart'), over = chart.querySelector('.u-over');
                const r = over.getBoundingClientRect(), all = chart.querySelector('canvas').getBoundingClientRect();
                const read = (paint) => {
                  const canvas = document.createElement('canvas');
                  [canvas.width, canvas.height] = [r.width, r.height];
                  const context = canvas.getContext('2d');
                  context.fillStyle = getComputedStyle(document.querySelector('.board')).backgroundColor;
                  context.fillRect(0, 0, r.width, r.height);
                  paint(context);
                  return context.getImageData(0, 0, r.width, r.height).data;
                };
                const drawn = () => read((context) => context.drawImage(chart.querySelector('canvas'), all.left - r.left, all.top - r.top));
                const share = (one, other) => {
                  let count = 0;
                  for (let i = 0; i < one.length; i += 4) {
                    count += [0, 1, 2].some((j) => Math.abs(one[i + j] - other[i + j]) > 8) ? 1 : 0;
                  }
                  return count / (one.length / 4);
                };
                Element.prototype.setPointerCapture = () => {};
                const send = (type, x) => over.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1,
                  button: 0, buttons: 1, clientX: x, clientY: r.top + 100, isPrimary: true }));
                const before = drawn();
                send('pointerdown', r.left + 500);
                send('pointermove', r.left + 350);
                const picture = chart.querySelector('.moving canvas');
                const moved = read((context) => context.drawImage(picture, new DOMMatrix(picture.style.transform).e, 0));
                send('pointerup', r.left + 350);
                const wait = () => chart.querySelector('.moving') ? setTimeout(wait, 20)
                  : requestAnimationFrame(() => requestAnimationFrame(() => done([share(moved, before), share(moved, drawn())])));
                wait();
                """);
    assertThat(((Number) shares.get(0)).doubleValue())
        .as("changed by the drag")
        .isGreaterThan(0.01);
    assertThat(((Number) shares.get(1)).doubleValue()).as("changed after it").isLessThan(0.0005);
  }

  /** A movement is the last word on the period, whatever was asked for before it. */
  @Test
  void aMovementWhileAPeriodLoadsIsShownAndInTheAddress() {
    browser.openChart(served.address() + HOUR);
    double[] begin = browser.period();
    browser.hold("from=2024");
    browser.type("#search", "VALCCG:D01_L01A:PRES");
    browser.await("return document.querySelectorAll('#found [role=option]').length === 1");
    new Actions(browser.driver()).sendKeys(Keys.ENTER).perform();
    browser.awaitHeld();
    browser.press(Keys.ARROW_RIGHT);
    browser.release();
    double[] moved = browser.awaitPeriodOtherThan(begin);
    assertThat(moved[0] - begin[0]).isCloseTo(HOUR_MILLIS / 2, within(2));
    assertThat(moved[1] - begin[1]).isCloseTo(HOUR_MILLIS / 2, within(2));
    browser.await("return document.getElementById('chart').dataset.drawn.includes(',VALCCG:')");
    assertThat(
            browser.script(
                "return [...document.querySelectorAll('#period input')].map(each => each.value)"))
        .isEqualTo(List.of("2024-05-20 09:30:00", "2024-05-20 10:30:00"));
  }

  /**
   * Waits for the periods before and after the shown one, which are requested ahead, and the
   * overview.
   */
  private static void awaitPeriodsBeside() {
    browser.await(
        "return performance.getEntriesByType('resource').filter(each => each.name.includes('/trend?')).length >= 4");
  }

  @Test
  void thePageIsBusyUntilThePeriodIsThereThatWasAskedForLast() {
    browser.openChart(served.address() + HOUR.replace(CURRENT, CURRENT + ",BMLDCCT:LIFE"));
    awaitPeriodsBeside();
    browser.hold("/trend?");
    browser.script("document.querySelector(\"[data-preset='8h']\").click(); return true");
    browser.awaitHeld();
    browser.script("document.querySelector('.card:last-child .tools button').click(); return true");
    browser.await("return held.length > 1");
    assertThat(
            browser.later(
                """
                const done = arguments[0];
                held[0]();
                // The page has taken the answer long before that to a later request.
                fetch('/api/v1/archive').then(() => done(document.getElementById('chart').getAttribute('aria-busy')));
                """))
        .isEqualTo("true");
    browser.release();
    browser.awaitDrawn();
  }

  @Test
  void aPeriodThatLoadsTakesThePlaceOfAMovementBeforeIt() {
    browser.openChart(served.address() + HOUR.replace(CURRENT, CURRENT + ",BMLDCCT:LIFE"));
    awaitPeriodsBeside();
    browser.hold("/trend?");
    assertThat(
            browser.later(
                """
                const done = arguments[0];
                document.querySelector("[data-preset='8h']").click();
                document.querySelector('.card:last-child .tools button').click();
                // A timer of the movement would run before this one.
                const wait = () => setTimeout(() => held.length > 0 ? done(held.length) : wait(), 50);
                wait();
                """))
        .isEqualTo(1L);
    browser.release();
    browser.awaitDrawn();
  }

  @Test
  void aLiveViewWhoseLastChannelIsRemovedWhileItLoadsStartsNoStream() {
    browser.openChart(served.address() + HOUR);
    browser.hold("from=now");
    browser.script(
        """
        window.streams = 0;
        const Stream = window.EventSource;
        window.EventSource = class extends Stream {
          constructor(address) {
            super(address);
            window.streams++;
          }
        };
        document.getElementById('live').click();
        return true;
        """);
    browser.awaitHeld();
    browser.script("document.querySelector('.card .tools button').click(); return true");
    browser.release();
    browser.await("return document.getElementById('chart').getAttribute('aria-busy') === 'false'");
    browser.awaitText("#state", "Which channel?");
    assertThat(browser.script("return streams")).isEqualTo(0L);
  }

  /** The caption of the picture has the new period at once. */
  @ParameterizedTest
  @ValueSource(strings = {"wheel", "key"})
  void thePictureRightAfterAMovementIsThatOfTheNewPeriod(String movement) {
    browser.openChart(served.address() + HOUR + "&y=mA~0~1500");
    // The periods before and after are requested ahead, and the overview.
    browser.await(
        "return performance.getEntriesByType('resource').filter(each => each.name.includes('/trend?')).length === 4");
    browser.settle();
    browser.script(
        """
        window.pictures = [];
        HTMLCanvasElement.prototype.toBlob = function () {
          pictures.push(this.getContext('2d').getImageData(0, 0, this.width, this.height).data);
        };
        const over = document.querySelector('.u-over'), r = over.getBoundingClientRect();
        if (arguments[0] === 'wheel') {
          over.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, deltaX: 150,
            clientX: r.left + r.width / 2, clientY: r.top + 50 }));
        } else {
          document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, key: 'ArrowRight' }));
        }
        document.getElementById('png').click();
        return true;
        """,
        movement);
    browser.await("return !document.querySelector('.moving')");
    browser.awaitAddress();
    browser.awaitDrawn();
    browser.settle();
    assertThat(
            browser.number(
                """
                document.getElementById('png').click();
                const [before, after] = pictures;
                let count = 0;
                for (let i = 0; i < before.length; i++) count += Math.abs(before[i] - after[i]) > 8 ? 1 : 0;
                return count / before.length;
                """))
        .as("share of the picture that is another one when all is drawn")
        .isLessThan(0.0005);
  }

  private static org.assertj.core.data.Offset<Double> within(double value) {
    return org.assertj.core.data.Offset.offset(value);
  }

  @Test
  void keysMoveZoomSearchAndHelp() {
    browser.openChart(served.address() + HOUR);
    double[] begin = browser.period();
    browser.press(Keys.ARROW_RIGHT);
    double[] moved = browser.awaitPeriodOtherThan(begin);
    assertThat(moved[0] - begin[0]).isCloseTo(HOUR_MILLIS / 2, within(2));
    browser.press("+");
    double[] zoomed = browser.awaitPeriodOtherThan(moved);
    assertThat(zoomed[1] - zoomed[0]).isCloseTo(HOUR_MILLIS / 2, within(2));
    browser.press("[");
    assertThat(browser.awaitPeriodOtherThan(zoomed)[0]).isCloseTo(moved[0], within(2));
    browser.press("]");
    assertThat(browser.awaitPeriodOtherThan(moved)[0]).isCloseTo(zoomed[0], within(2));

    browser.press("?");
    browser.awaitText("dialog[open]", "Move by half the period");
    new Actions(browser.driver()).sendKeys(Keys.ESCAPE).perform();
    browser.await("return !document.querySelector('dialog[open]')");

    browser.press("/");
    browser.await("return document.activeElement.id === 'search'");
  }

  @Test
  void theNextExtremeIsFoundAndGoneToByKeys() {
    browser.openChart(served.address() + "/?c=" + CURRENT + "&" + ServedArchiveFixture.DAY);
    double[] day = browser.period();
    browser.press("e");
    String time = browser.text(".readout .time");
    browser.press(Keys.ENTER);
    double[] there = browser.awaitPeriodOtherThan(day);
    assertThat(there[1] - there[0]).isLessThan(2 * HOUR_MILLIS);
    assertThat(time).startsWith("2024-05-2");
  }

  @Test
  void periodsAreWrittenAsTheCommandTakesThem() {
    browser.openChart(served.address() + HOUR);
    double[] begin = browser.period();
    browser.type("#from", "20240520 1200");
    browser.type("#to", "2024-05-20 12:30" + Keys.ENTER);
    double[] period = browser.awaitPeriodOtherThan(begin);
    assertThat(period[1] - period[0]).isEqualTo(HOUR_MILLIS / 2);
    assertThat(period[0] - begin[0]).isEqualTo(3 * HOUR_MILLIS);

    browser.element("[data-preset='8h']").click();
    double[] preset = browser.awaitPeriodOtherThan(period);
    assertThat(preset[1] - preset[0]).isCloseTo(8 * HOUR_MILLIS, within(2));
  }

  @Test
  void aPeriodThatIsNotUnderstoodIsExplained() {
    browser.openChart(served.address() + HOUR);
    browser.type("#from", "yestermorn" + Keys.ENTER);
    browser.awaitText("#banners", "This period is not understood");
    browser.awaitText("#banners", "yestermorn");
    assertThat(browser.errors()).allMatch(each -> each.contains("400"));
  }

  @Test
  void theAddressShowsTheSameViewAgain() {
    browser.openChart(served.address() + HOUR);
    double[] begin = browser.period();
    browser.press(Keys.ARROW_LEFT);
    double[] moved = browser.awaitPeriodOtherThan(begin);
    String address = browser.driver().getCurrentUrl();

    browser.open("about:blank");
    browser.openChart(address);

    assertThat(browser.period()[0]).isCloseTo(moved[0], within(2));
    assertThat(browser.period()[1]).isCloseTo(moved[1], within(2));
    assertThat(browser.text(".card .name")).isEqualTo(CURRENT);
  }

  /** The archiver of this group is down for some time of the demo's day. */
  @Test
  void aTimeWithoutArchiverIsHatchedAndNamedAndHasNoLine() {
    browser.open(served.address() + "/");
    List<?> gap =
        (List<?>)
            browser.later(
                """
                    const done = arguments[0];
                    fetch('/api/v1/trend?channel=CGRFCAV:D01_A01:VC'
                      + '&bins=10&from=2024-05-20&to=2024-05-21').then(each => each.json()).then(answer =>
                        done(answer.coverage.flatMap(({ group, spans }) => spans.filter(one => one.state === 'archiver-down')
                          .map(one => [answer.channels.find(each => each.group === group).name, one.from, one.to]))
                          .sort((a, b) => (b[2] - b[1]) - (a[2] - a[1]))[0]));
                    """);
    String channel = String.valueOf(gap.get(0));
    double from = ((Number) gap.get(1)).doubleValue();
    double to = ((Number) gap.get(2)).doubleValue();
    assertThat(to - from).as("length of the gap").isGreaterThan(600_000);
    browser.openChart(served.address() + "/?c=" + channel + "&" + ServedArchiveFixture.DAY);
    String colour = browser.colour(channel);
    double hatched = 0;
    for (int i = 2; i < 9; i++) {
      double time = from + (to - from) * i / 10;
      assertThat(browser.pixels(time, colour)).as("line in the gap").isZero();
      hatched += browser.pixels(time, "hatch");
    }
    assertThat(hatched).isGreaterThan(20);
    assertThat(browser.pixels(from - 1_800_000, "hatch")).isLessThan(5);
    assertThat(
            browser.script("return document.querySelector('.strip canvas').ariaLabel").toString())
        .contains("archiver down");

    browser.at(((from + to) / 2 - browser.period()[0]) / 86_400_000, 0.3).perform();
    browser.awaitText(".readout", "archiver down");
  }

  @Test
  void lossySpansAreMarkedInTheStrip() throws IOException {
    try (ServedArchiveFixture lossy =
        ServedArchiveFixture.lossyCopy(
            directory.resolve("archive"), directory.resolve("lossy").resolve("archive"))) {
      browser.openChart(lossy.address() + HOUR);
      assertThat(
              browser.script("return document.querySelector('.strip canvas').ariaLabel").toString())
          .contains("recorded")
          .contains("possibly lossy: at least 12 events, ring full")
          .contains("possibly lossy: canary jumped");
      assertThat(List.of(marked(10), marked(22), marked(30), marked(40), marked(50)))
          .containsExactly(false, true, false, true, false);
      assertThat(stripTitle(22))
          .isEqualTo("recorded\npossibly lossy: at least 12 events, ring full");
      assertThat(stripTitle(40.05)).isEqualTo("recorded\npossibly lossy: canary jumped");
      assertThat(stripTitle(30)).isEqualTo("recorded");
    }
    browser.openChart(served.address() + HOUR);
    assertThat(List.of(marked(22), marked(40))).containsExactly(false, false);
  }

  /** Returns whether the strip has a mark of a lossy span at a minute of the hour. */
  private static boolean marked(double minute) {
    return Boolean.TRUE.equals(
        browser.script(
            """
            const canvas = document.querySelector('.strip canvas');
            const colour = getComputedStyle(document.documentElement).getPropertyValue('--minor').trim();
            const wanted = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
            const x = Math.round((0.25 + %s / 120) * canvas.width);
            const data = canvas.getContext('2d').getImageData(x - 3, 0, 7, canvas.height).data;
            for (let i = 0; i < data.length; i += 4) {
              if (wanted.every((part, j) => Math.abs(part - data[i + j]) < 16) && data[i + 3] > 200) return true;
            }
            return false;
            """
                .formatted(minute)));
  }

  /** Returns what the strip tells of a minute of the hour. */
  private static String stripTitle(double minute) {
    return browser
        .script(
            """
            const canvas = document.querySelector('.strip canvas');
            const box = canvas.getBoundingClientRect();
            canvas.dispatchEvent(new MouseEvent('mousemove',
              { bubbles: true, clientX: box.left + (0.25 + %s / 120) * box.width, clientY: box.top + 4 }));
            return canvas.title;
            """
                .formatted(minute))
        .toString();
  }

  @Test
  void theCursorReadsTheValues() {
    browser.openChart(served.address() + HOUR);
    browser.at(0.5, 0.4).perform();
    browser.awaitText(".readout .time", "2024-05-20 09:30:0");
    assertThat(browser.text(".readout .reading b")).matches("-?[0-9.]+(e-?[0-9]+)?");
  }

  @Test
  void enumsTextsAndWaveformsHaveLanes() {
    browser.openChart(
        served.address()
            + "/?c="
            + CURRENT
            + ",CGOPE:STATUS:MODE,CGSAFE:D01_01:ITLK,BM_BLM:D1_1:ADC&from=2024-05-20T09:00&to=2024-05-20T12:00");
    assertThat(browser.elements(".card")).hasSize(4);
    browser.at(0.5, 0.4).perform();
    browser.awaitText(".readout", "ITLK");
    browser.awaitText(".readout", "[32]");
    assertThat(
            browser.number(
                "return document.querySelector('.readout canvas').getBoundingClientRect().bottom"))
        .as("the waveform is in the first line")
        .isLessThan(720);
  }

  @Test
  void eventsAndPictureAreSaved() throws IOException, InterruptedException {
    browser.openChart(served.address() + HOUR);
    browser.element("#csv").click();
    List<String> lines = Files.readAllLines(browser.download(".csv"));
    assertThat(lines).hasSizeGreaterThan(2000);
    assertThat(lines.get(lines.size() - 1)).isEqualTo("# complete");

    browser.element("#png").click();
    byte[] png = Files.readAllBytes(browser.download(".png"));
    assertThat(png).startsWith(0x89, 'P', 'N', 'G').hasSizeGreaterThan(10_000);
  }

  @Test
  void aPeriodWithoutEventsNamesTheRecordedOneAndGoesThere() {
    browser.open(
        served.address() + "/?c=" + CURRENT + "&from=2023-01-01T00:00&to=2023-01-01T01:00");
    browser.awaitText("#state", "No events in this period");
    browser.awaitText("#state", "Recorded 2024-05-20");
    browser.await(
        "return document.querySelector('.track').dataset.side === 'before' && document.querySelector('.brush').hidden");
    browser.element("#state button").click();
    browser.awaitAddress();
    browser.await("return document.getElementById('state').hidden");
    browser.await("return !document.querySelector('.brush').hidden");
  }

  @Test
  void anUnknownChannelIsNamedAndTheOthersAreDrawn() {
    browser.open(served.address() + HOUR.replace(CURRENT, "BMLDCCT:CURENT," + CURRENT));
    browser.awaitText("#banners", "No channel is named BMLDCCT:CURENT");
    browser.awaitDrawn();
    assertThat(browser.text("#banners")).contains(CURRENT);
    assertThat(browser.errors()).allMatch(each -> each.contains("404"));
  }

  @Test
  void whatWasDrawnStaysWhileTheServerIsAwayAndIsRetried() throws IOException {
    browser.openChart(served.address() + HOUR);
    double[] period = browser.period();
    String colour = browser.colour(CURRENT);
    served.restart(
        () -> {
          browser.press("-");
          browser.awaitText("#banners", "The server does not answer");
          browser.await("return document.querySelector('.u-over').checkVisibility()");
        });
    browser.await("return document.querySelector('#banners').innerText === ''");
    browser.awaitDrawn();
    assertThat(browser.pixels((period[0] + period[1]) / 2, colour)).isPositive();
    browser.errors();
  }

  /** Without what the first answer has, such as the zone, the page cannot go on. */
  @Test
  void aPageWhoseFirstRequestIsRefusedBeginsAgain() {
    browser.before(
        """
        if (location.hash === '#refused') {
          const ask = window.fetch;
          window.fetch = async () => {
            window.fetch = ask;
            return new Response('{"error": "busy"}', { status: 503, headers: { 'Retry-After': '0' } });
          };
        }
        """);
    browser.open("about:blank"); // else only the fragment would change
    browser.open(served.address() + "/#refused");
    browser.await("return document.querySelectorAll('.example').length === 3");
    assertThat(browser.text("#banners")).isEmpty();
  }

  @Test
  void aPageWhoseFirstRequestIsRefusedWaitsAsLongAsTheServerSays() {
    browser.watchTimers();
    browser.before(
        """
        if (location.hash === '#wait') {
          window.fetch = async () => new Response('{"error": "busy"}', { status: 503, headers: { 'Retry-After': '7' } });
        }
        """);
    browser.open("about:blank"); // else only the fragment would change
    browser.open(served.address() + "/#wait");
    browser.awaitText("#banners", "busy");
    assertThat(
            browser.script("return [7000, 5000].map(each => [...timers.values()].includes(each))"))
        .isEqualTo(List.of(true, false));
  }

  @Test
  void languagesAreThatOfTheBrowserAndTheOther() throws IOException {
    browser.openChart(served.address() + HOUR);
    browser.element("#language").click();
    browser.awaitText("#live", "最新を追う");
    browser.awaitText(".rail", "チャンネルを追加");
    assertThat(browser.script("return document.documentElement.lang")).isEqualTo("ja");
    browser.element("#language").click();
    browser.awaitText("#live", "Live");

    try (Browser japanese = Browser.start("ja", false)) {
      japanese.size(1280, 720).open(served.address() + "/");
      japanese.awaitText("#state", "どのチャンネルを見ますか");
      japanese.open(served.address() + "/status");
      japanese.awaitText("td.number", "年前");
    }
  }

  @Test
  void thePageIsSmallAndAsksNobodyElse() {
    browser.openChart(served.address() + HOUR);
    assertThat(
            browser.number(
                "return performance.getEntriesByType('resource').filter(each =>"
                    + " !each.name.startsWith(location.origin)).length"))
        .isZero();
    browser.script("performance.clearResourceTimings(); return true");
    double bytes =
        browser.number("return performance.getEntriesByType('navigation')[0].encodedBodySize");
    bytes +=
        ((Number)
                browser.later(
                    """
                        const done = arguments[0];
                        const names = [...document.querySelectorAll('link[rel=stylesheet]')].map(each => each.href);
                        const seen = new Set();
                        const load = async (url) => {
                          if (seen.has(url)) return;
                          seen.add(url);
                          const text = await (await fetch(url, { cache: 'reload' })).text();
                          if (url.endsWith('.js')) {
                            await Promise.all([...text.matchAll(/from '(\\/page\\/[^']+)'/g)].map(each => load(location.origin + each[1])));
                          }
                        };
                        Promise.all([...names, ...[...document.scripts].map(each => each.src)].map(load)).then(() =>
                          setTimeout(() => done(performance.getEntriesByType('resource').filter(each => seen.has(each.name))
                            .reduce((sum, each) => sum + each.encodedBodySize, 0)), 200));
                        """))
            .doubleValue();
    assertThat(bytes).isBetween(50_000.0, 300_000.0);
  }
}
