package org.kblake.test.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.openqa.selenium.Keys;

/**
 * What the chart shows is what {@code /api/v1/trend} says, to a pixel, after each thing that a user
 * does. A place in the chart becomes a value and a time by the labels that the chart has drawn
 * (oracle.js).
 */
@Tag("browser")
final class ChartAgainstDataTest {

  private static final String CURRENT = "BMLDCCT:CURRENT";
  private static final String RING = "BMHDCCT:CURRENT";
  private static final String PRESSURE = "VALCCG:D01_L01A:PRES";
  private static final String STATE = "CGSAFE:D01_01:ITLK";
  private static final String MORNING = "&from=2024-05-20T09:00&to=2024-05-20T17:00";
  private static final String HOUR = "&from=2024-05-20T09:00&to=2024-05-20T10:00";

  @TempDir private static Path directory;

  private static ServedArchiveFixture served;
  private static ServedArchiveFixture growing;
  private static Browser browser;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    served = ServedArchiveFixture.day(directory.resolve("past").resolve("archive"));
    growing = ServedArchiveFixture.growing(directory.resolve("growing").resolve("archive"));
    browser = Browser.start("en", false);
    browser.before(resource("recorder.js"));
    browser.before(resource("oracle.js"));
  }

  @AfterAll
  static void stop() throws IOException, InterruptedException {
    browser.close();
    growing.close();
    served.close();
  }

  @BeforeEach
  void usualWindow() {
    browser.size(1280, 720).theme("light");
    browser.errors();
  }

  @AfterEach
  void noErrors() {
    browser.assertNoErrors();
  }

  private static String resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ChartAgainstDataTest.class.getResourceAsStream("/page/" + name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void open(String query) {
    browser.openChart(served.address() + "/?c=" + query);
    browser.settle();
  }

  /** Holds what is shown against the data, and returns how much of each kind was compared. */
  private static Map<?, ?> compared(String what, String... kinds) {
    return comparedOn("document.querySelector('#chart canvas')", what, kinds);
  }

  private static Map<?, ?> comparedOn(String canvas, String what, String... kinds) {
    Map<?, ?> answer =
        (Map<?, ?>)
            browser.later(
                "const done = arguments[0]; checkPicture(%s).then(done, (e) => done({ problems: [String(e) + e.stack], counts: {} }))"
                    .formatted(canvas));
    Map<?, ?> counts = (Map<?, ?>) Objects.requireNonNull(answer.get("counts"));
    assertThat((List<?>) answer.get("problems")).as("%s, compared %s", what, counts).isEmpty();
    for (String kind : kinds) {
      assertThat(((Number) Objects.requireNonNull(counts.get(kind), kind)).intValue())
          .as("%s that were compared after: %s", kind, what)
          .isPositive();
    }
    return counts;
  }

  private static void wheel(double share, int delta) {
    browser.script(
        """
        const over = document.querySelector('.u-over'), r = over.getBoundingClientRect();
        over.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, deltaY: arguments[1],
          clientX: r.left + r.width * arguments[0], clientY: r.top + 50 }));
        return true;
        """,
        share,
        delta);
  }

  /** Waits until the period has changed, and all that this starts has ended. */
  private static double[] settled(double[] before) {
    double[] after = browser.awaitPeriodOtherThan(before);
    browser.settle();
    browser.awaitDrawn();
    browser.settle();
    return after;
  }

  private static void click(String selector) {
    browser.element(selector).click();
  }

  private static void resized(int width, int height) {
    browser.size(width, height);
    browser.await(
        "const c = document.querySelector('#chart canvas');"
            + " return c.width === document.getElementById('chart').clientWidth");
    browser.settle();
    browser.awaitDrawn();
    browser.settle();
  }

  private static void awaitDrawn(String channels) {
    browser.await(
        "return document.getElementById('chart').dataset.drawn === '%s'".formatted(channels));
    browser.awaitDrawn();
    browser.settle();
  }

  @Test
  void afterLoadingMovingTypingAndGoingBack() {
    open(CURRENT + MORNING);
    compared("load", "bins", "extremes", "columns", "labels", "alarms", "gaps");

    double[] loaded = browser.period();
    for (int i = 0; i < 9; i++) {
      wheel(0.25, -100);
    }
    double[] near = settled(loaded);
    assertThat(near[1] - near[0]).isLessThan(3_600_000);
    compared("wheel", "columns", "labels");

    browser.at(0.5, 0.4).clickAndHold().moveByOffset(-200, 0).release().perform();
    double[] dragged = settled(near);
    compared("drag", "columns", "labels");

    browser.type("#from", "2024-05-20T10:00");
    browser.type("#to", "2024-05-20T11:00");
    browser.element("#to").sendKeys(Keys.ENTER);
    browser.await("return document.getElementById('chart').dataset.from == 1716166800000");
    browser.awaitDrawn();
    browser.settle();
    compared("typed time", "columns", "labels");

    click("#back");
    browser.await(
        "return Math.abs(document.getElementById('chart').dataset.from - %s) < 10000"
            .formatted(dragged[0]));
    browser.awaitDrawn();
    browser.settle();
    compared("back", "columns", "labels");

    double[] before = browser.period();
    click("#presets [data-preset='1d']");
    settled(before);
    compared("a day", "columns", "labels", "gaps");
  }

  @Test
  void labelsSayWhereTheyAre() throws Exception {
    open(CURRENT + HOUR);
    Seeds.each(
        "labels of axes",
        1,
        seed ->
            assertThat(
                    (List<?>)
                        browser.later(
                            "const done = arguments[0]; checkLabels(%d).then(done)"
                                .formatted(Math.floorMod(seed, 1 << 30))))
                .isEmpty());
  }

  @Test
  void afterResizingAnotherThemeAnotherChannelAndOnPaper() {
    open(CURRENT + HOUR);
    compared("an hour", "columns", "labels");
    resized(900, 600);
    compared("resize", "columns", "labels");
    resized(1280, 720);
    click("#theme");
    browser.awaitDrawn();
    browser.settle();
    compared("theme", "columns", "labels");
    click("#theme");
    browser.driver().executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", "print"));
    browser.awaitDrawn();
    browser.settle();
    compared("print", "columns", "labels");
    browser.driver().executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", ""));

    browser.type("#search", PRESSURE);
    browser.await("return document.querySelectorAll('#found [role=option]').length > 0");
    browser.element("#search").sendKeys(Keys.ENTER);
    awaitDrawn(CURRENT + "," + PRESSURE);
    Map<?, ?> counts = compared("added channel", "columns", "labels");
    assertThat(counts.get("axes")).isEqualTo(2L);
    double[] before = browser.period();
    wheel(0.5, 100);
    settled(before);
    compared("wheel of two channels", "columns", "labels");

    browser.script("document.querySelector('.card .tools button').click(); return true");
    awaitDrawn(PRESSURE);
    compared("removed channel", "columns", "labels", "logAxes");
  }

  @Test
  void ofLogarithmicAxesStatesAndManyUnits() {
    open(PRESSURE + MORNING);
    compared("logarithmic axis", "columns", "labels", "extremes");
    double[] before = browser.period();
    wheel(0.5, -100);
    settled(before);
    compared("wheel of a logarithmic axis", "columns", "labels");

    open(CURRENT + "," + STATE + MORNING);
    compared("enum", "columns", "labels", "states", "alarms");
    before = browser.period();
    wheel(0.5, -100);
    settled(before);
    compared("wheel of an enum", "columns", "states");

    open(CURRENT + ",BMLDCCT:D01:TEMP01," + PRESSURE + ",CGRFCAV:D01_A01:VC" + MORNING);
    compared("units", "columns", "labels");
    before = browser.period();
    for (int i = 0; i < 6; i++) {
      wheel(0.7, -100);
    }
    settled(before);
    Map<?, ?> counts = compared("wheel of units", "columns", "labels");
    assertThat(counts.get("axes")).isEqualTo(4L);
  }

  /** The page draws nothing of the lost end of a log, and says that its answer is incomplete. */
  @Test
  void whereALogHasLostItsEnd() throws Exception {
    Path past = directory.resolve("past").resolve("archive");
    Path root = directory.resolve("cut").resolve("archive");
    try (ServedArchiveFixture cut = ServedArchiveFixture.cutCopy(past, root)) {
      browser.openChart(cut.address() + "/?c=" + PRESSURE + "&" + ServedArchiveFixture.DAY);
      browser.settle();
      browser.awaitText("#banners", "This answer is incomplete: VA/CCG");
      assertThat(browser.text("#banners")).contains("damaged");
      compared("lost end", "columns", "gaps", "labels");
    }
  }

  /** Between the events behind the place where the clock was set back, others have later times. */
  @Test
  void whereAClockWasSetBack() throws Exception {
    Path root = directory.resolve("back").resolve("archive");
    try (ServedArchiveFixture back = ServedArchiveFixture.setBack(root)) {
      for (String period : List.of("09:00&to=2024-05-20T09:40", "09:14&to=2024-05-20T09:32")) {
        browser.openChart(back.address() + "/?c=K:X&from=2024-05-20T" + period);
        browser.settle();
        compared(period, "columns", "labels", "steps");
      }
    }
  }

  @Test
  void ofASavedPictureIsThatOfTheChart() {
    open(CURRENT + "," + STATE + MORNING);
    double[] before = browser.period();
    for (int i = 0; i < 6; i++) {
      wheel(0.3, -100);
    }
    settled(before);
    click("#png");
    browser.await("return window.saved?.blob");
    comparedOn("window.saved.canvas", "saved picture", "columns", "labels", "states");
    Object different =
        browser.later(
            """
            const done = arguments[0], chart = document.querySelector('#chart canvas');
            createImageBitmap(window.saved.blob).then((image) => {
              const pixels = (paint) => {
                const canvas = new OffscreenCanvas(chart.width, chart.height), context = canvas.getContext('2d');
                paint(context);
                return context.getImageData(0, 0, chart.width, chart.height).data;
              };
              const saved = pixels((context) => context.drawImage(image, 0, chart.height - image.height));
              const shown = pixels((context) => {
                context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--panel');
                context.fillRect(0, 0, chart.width, chart.height);
                context.drawImage(chart, 0, 0);
              });
              done(shown.filter((each, i) => Math.abs(each - saved[i]) > 2).length);
            });
            """);
    assertThat(different).as("bytes of pixels that differ from the chart").isEqualTo(0L);
  }

  @Test
  void whileDataComeAndWherePeriodsEndInTheFuture() {
    long now = System.currentTimeMillis() / 1000;
    for (String ends : List.of("-30min&to=@" + (now + 1200), "-90min&to=@" + (now + 3600))) {
      browser.openChart(
          growing.address() + "/?c=" + CURRENT + "," + RING + "," + STATE + "&from=" + ends);
      browser.settle();
      compared("future", "columns", "gaps", "future", "states");
    }
    // A stretch after now that is so short was drawn as a severity that lasts.
    browser.openChart(growing.address() + "/?c=" + RING + "&from=-30min&to=@" + (now + 120));
    browser.settle();
    compared("near future", "columns", "future");
    for (String period : List.of("now-2min", "now-1h")) {
      browser.openChart(
          growing.address() + "/?c=" + CURRENT + "," + STATE + "&live=1&to=now&from=" + period);
      double begin = browser.number("return Date.now()");
      browser.await("return Date.now() > " + (begin + 14000));
      compared("live from " + period, "columns", "future", "states", "labels");
    }
  }
}
