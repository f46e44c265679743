package org.kblake.test.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The page follows an archive that grows. */
@Tag("browser")
final class LivePageTest {

  private static final String CURRENT = "BMLDCCT:CURRENT";

  @TempDir private static Path directory;

  private static ServedArchiveFixture served;
  private static Browser browser;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    served = ServedArchiveFixture.growing(directory.resolve("archive"));
    browser = Browser.start("en", false).size(1280, 720);
  }

  @AfterAll
  static void stop() throws IOException, InterruptedException {
    browser.close();
    served.close();
  }

  @Test
  void newValuesAppearAndScroll() {
    browser.openChart(
        served.address() + "/?c=" + CURRENT + ",BMHDCCT:CURRENT&from=now-2min&to=now&live=1");
    assertThat(browser.element("#live").getAttribute("aria-pressed")).isEqualTo("true");
    double[] before = browser.period();
    String time = browser.text(".readout .time");
    String value = browser.text(".card .value b");

    browser.await(
        "return document.getElementById('chart').dataset.to > %s + 4000".formatted(before[1]));
    browser.await(
        "return document.querySelector('.card .value b').innerText !== '%s'".formatted(value));

    assertThat(browser.text(".readout .time")).isNotEqualTo(time);
    double now = browser.number("return Date.now()");
    String colour = browser.colour(CURRENT);
    browser.await("return document.getElementById('chart').dataset.to > " + now);
    assertThat(browser.pixels(now - 3000, colour) + browser.pixels(now - 4000, colour))
        .as("the line reaches the present")
        .isPositive();
    browser.assertNoErrors();
  }

  @Test
  void livePausesWhenOneMovesTheChartAndGoesOnByKey() {
    browser.openChart(served.address() + "/?c=" + CURRENT + "&from=now-10min&to=now&live=1");
    browser.press(Keys.ARROW_LEFT);
    browser.awaitText("#toast", "Live stopped");
    assertThat(browser.element("#live").getAttribute("aria-pressed")).isEqualTo("false");
    browser.await("return !location.search.includes('live=1')");

    browser.press("l");
    browser.await("return document.getElementById('chart').dataset.to > Date.now() - 1000");
    assertThat(browser.element("#live").getAttribute("aria-pressed")).isEqualTo("true");
  }

  /** A browser has six connections to a server: the page must not use them up with streams. */
  @Test
  void thePageHoldsOneEventStream() {
    browser.open("about:blank");
    browser.openChart(
        served.address()
            + "/?c="
            + CURRENT
            + ",BMHDCCT:CURRENT,BMLDCCT:LIFE&from=now-10min&to=now&live=1");
    browser.await(
        "return performance.getEntriesByType('resource').length > 0"
            + " && document.getElementById('chart').dataset.to > Date.now()");
    assertThat(
            browser.number(
                "return performance.getEntriesByType('resource')"
                    + ".filter(each => each.name.includes('/api/v1/live')).length"))
        .isLessThanOrEqualTo(1);
  }
}
