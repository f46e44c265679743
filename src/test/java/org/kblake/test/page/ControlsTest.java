package org.kblake.test.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Each control of the trend page that can be used does something. */
@Tag("browser")
final class ControlsTest {

  private static final String VIEW =
      "/?c=BMLDCCT:CURRENT,VALCCG:D01_L01A:PRES&from=2024-05-20T09:00&to=2024-05-20T10:00";

  /**
   * What a user may see of the page: elements, states of inputs, pixels of the chart, saved files.
   */
  private static final String SEEN =
      """
      return JSON.stringify([location.href, document.documentElement.dataset.theme, document.body.innerHTML.replace(/ style="[^"]*"/g, ''),
        [...document.querySelectorAll('input')].map((each) => [each.value, each.checked, each.validationMessage, each === document.activeElement]),
        [...document.querySelectorAll('dialog')].map((each) => each.open), document.getElementById('chart').querySelector('canvas')?.toDataURL(),
        window.savedFiles]);
      """;

  @TempDir private static Path directory;

  private static ServedArchiveFixture served;
  private static Browser browser;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    served = ServedArchiveFixture.day(directory.resolve("archive"));
    browser = Browser.start("en", false).size(1280, 720);
    browser.watchTimers();
    browser.before(
        "window.savedFiles = 0; document.addEventListener('click', (event) => {"
            + " if (event.target.download) { window.savedFiles++; event.preventDefault(); } }, true);"
            // A page without TLS has no clipboard
            + " Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  }

  @AfterAll
  static void stop() throws IOException, InterruptedException {
    browser.close();
    served.close();
  }

  @BeforeEach
  void view() {
    browser.open("about:blank");
    browser.openChart(served.address() + VIEW);
    browser.await("return document.querySelector('.overview canvas').dataset.drawn");
    browser.settle();
    browser.errors();
  }

  /** Clicks an element, and waits until something is seen of it. */
  private static void changes(WebElement control, String name) {
    String before = browser.script(SEEN).toString();
    control.click();
    awaitChange(before, name);
  }

  private static void awaitChange(String before, String name) {
    long end = System.nanoTime() + 10_000_000_000L;
    while (browser.script(SEEN).toString().equals(before)) {
      assertThat(System.nanoTime()).as("%s does nothing", name).isLessThan(end);
      browser.settle();
    }
    browser.settle();
  }

  private static void openAxis() {
    browser.script(
        "const c = document.querySelector('#chart canvas').getBoundingClientRect();"
            + " document.getElementById('chart').dispatchEvent(new MouseEvent('click',"
            + " {bubbles: true, clientX: c.left + 20, clientY: c.top + 200})); return true");
    browser.await("return document.querySelector('dialog').open");
  }

  @Test
  void eachButtonOfTheHeadAndOfTheChannels() {
    for (String button :
        List.of(
            "[data-preset='8h']",
            "[data-preset='1d']",
            "#back",
            "#forth",
            "#csv",
            "#png",
            "#language",
            "#language",
            "#theme",
            "#theme",
            ".add",
            "#live",
            "#live")) {
      changes(browser.element(button), button);
      browser.awaitDrawn();
    }
    for (String button : List.of("#helpButton", "#link")) {
      changes(browser.element(button), button);
      changes(browser.element("dialog .close"), "close of " + button);
      assertThat(browser.script("return document.querySelector('dialog').open")).isEqualTo(false);
    }
    int cards = browser.elements(".card").size();
    browser.script("document.querySelector('.card .tools button').click(); return true");
    browser.await("return document.querySelectorAll('.card').length === " + (cards - 1));
    browser.assertNoErrors();
  }

  /** The address gets the period of a movement after a pause, in which the next control is used. */
  @ParameterizedTest
  @CsvSource({
    "#back, 1",
    "'.card:last-child .tools button', 8",
    "#live, 8",
    "#theme, 8",
    "#link, 8",
    "#period [type=submit], 1"
  })
  void aControlRightAfterAMovement(String control, int hours) {
    double[] before = browser.period();
    String clicks = "document.querySelector(\"%s\").click(); ";
    browser.script(
        clicks.formatted("[data-preset='8h']") + clicks.formatted(control) + "return true");
    String expected =
        control.equals("#live")
            ? "return location.search.includes('from=now-28800s')"
            : view(before[1], hours);
    browser.await(expected);
    if (control.equals("#link")) {
      assertThat(
              browser.number(
                  """
                  const query = new URL(document.querySelector('dialog input').value).searchParams;
                  return (Date.parse(query.get('to')) - Date.parse(query.get('from'))) / 3600e3;
                  """))
          .isEqualTo(8);
    }
    // No pause goes on: nothing changes the view any more.
    browser.await("return ![...timers.values()].some((delay) => delay > 100 && delay < 2000)");
    browser.awaitDrawn();
    assertThat(browser.script(expected)).as(expected).isEqualTo(true);
    if (hours == 1) {
      browser.element(control.equals("#back") ? "#forth" : "#back").click();
      browser.await(view(before[1], 8));
    }
    browser.assertNoErrors();
  }

  /** Returns a script that returns whether chart and address have a period of some hours. */
  private static String view(double end, int hours) {
    return """
        const { from, to } = document.getElementById('chart').dataset;
        const query = new URLSearchParams(location.search);
        return +to === %1$s && to - from === %2$s * 3600e3
          && Date.parse(query.get('to')) - Date.parse(query.get('from')) === to - from;
        """
        .formatted(end, hours);
  }

  @Test
  void eachControlOfTheAxis() {
    openAxis();
    for (WebElement radio : browser.elements("dialog input[type=radio]")) {
      if (radio.isEnabled() && !radio.isSelected()) {
        changes(radio, "radio " + radio.getAttribute("value"));
        assertThat(radio.isSelected()).isTrue();
      }
    }
    browser.type("dialog [name=min]", "1000");
    browser.type("dialog [name=max]", "900");
    assertThat(browser.element("dialog [value=fixed]").isSelected())
        .as("who writes a limit chooses it")
        .isTrue();
    browser.element("dialog [type=submit]").click();
    assertThat(browser.script("return document.querySelector('dialog').open"))
        .as("a wrong range is not taken in silence")
        .isEqualTo(true);
    browser.type("dialog [name=max]", "1200");
    changes(browser.element("dialog [type=submit]"), "Apply");
    browser.await("return location.search.includes('1000~1200')");
    browser.awaitDrawn();

    openAxis();
    assertThat(browser.element("dialog [value=fixed]").isSelected()).isTrue();
    browser.element("dialog [name=range][value=automatic]").click();
    changes(browser.element("dialog [type=submit]"), "Apply of an automatic range");
    browser.await("return !location.search.includes('1000~1200')");
    browser.assertNoErrors();
  }

  @Test
  void eachKey() {
    for (CharSequence key :
        List.of(Keys.ARROW_LEFT, Keys.ARROW_RIGHT, "+", "-", "e", "l", "l", "[", "?")) {
      String before = browser.script(SEEN).toString();
      browser.press(key);
      awaitChange(before, "key " + key);
    }
    browser.press(Keys.ESCAPE);
    browser.assertNoErrors();
  }

  @Test
  void withoutAChannelWhatCanDoNothingIsNotOffered() {
    browser.open(served.address() + "/");
    browser.awaitText("#state", "Which channel?");
    for (String button : List.of("#csv", "#png", "#live", "[data-preset='1h']")) {
      assertThat(browser.element(button).isEnabled()).as(button).isFalse();
    }
    browser.elements(".example").get(0).click();
    browser.awaitDrawn();
    for (String button : List.of("#csv", "#png", "#live", "[data-preset='1h']")) {
      assertThat(browser.element(button).isEnabled()).as(button).isTrue();
    }
  }
}
