package org.kblake.test.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/**
 * Pictures of the states of the pages, in both themes, languages and sizes of a screen, for people
 * who look at them: {@code target/screenshots}. Nothing may stand out of the window.
 */
@Tag("browser")
final class ScreenshotsTest {

  private static final Path PICTURES = Path.of("target", "screenshots");
  private static final String MORNING = "&from=2024-05-20T09:00&to=2024-05-20T12:00";
  private static final String DAY = "&" + ServedArchiveFixture.DAY;
  private static final String UNITS =
      "BMLDCCT:CURRENT,BMLDCCT:D01:TEMP01,VALCCG:D01_L01A:PRES,CGRFCAV:D01_A01:VC";
  private static final String LANES =
      "BMLDCCT:CURRENT,CGOPE:STATUS:MODE,CGSAFE:D01_01:ITLK,BM_BLM:D1_1:ADC";

  @TempDir private static Path directory;

  private static ServedArchiveFixture served;
  private static ServedArchiveFixture damaged;
  private static ServedArchiveFixture lossy;
  private static ServedArchiveFixture growing;
  private static Browser browser;

  private String language = "en";
  private String theme = "light";
  private Path folder = PICTURES;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    Path past = directory.resolve("past").resolve("archive");
    served = ServedArchiveFixture.day(past);
    damaged =
        ServedArchiveFixture.damagedCopy(past, directory.resolve("damaged").resolve("archive"));
    lossy = ServedArchiveFixture.lossyCopy(past, directory.resolve("lossy").resolve("archive"));
    growing = ServedArchiveFixture.growing(directory.resolve("growing").resolve("archive"));
    browser = Browser.start("en", false);
  }

  @AfterAll
  static void stop() throws IOException, InterruptedException {
    browser.close();
    growing.close();
    lossy.close();
    damaged.close();
    served.close();
  }

  @ParameterizedTest
  @CsvSource({
    "light, en, 1280, 720", "dark, en, 1280, 720", "light, ja, 1280, 720", "dark, ja, 1280, 720",
    "light, en, 2560, 1440", "dark, en, 2560, 1440", "light, ja, 2560, 1440", "dark, ja, 2560, 1440"
  })
  void statesAreDrawn(String theme, String language, int width, int height) throws IOException {
    this.theme = theme;
    this.language = language;
    folder = PICTURES.resolve(theme + "-" + language + "-" + width);
    browser.size(width, height);

    open(served, "/?");
    browser.await("return document.querySelectorAll('.example').length === 3");
    save("empty");
    browser.type("#search", "cur dcct");
    browser.await("return document.querySelectorAll('#found [role=option]').length === 2");
    save("found");
    browser.type("#search", "BMLDCT:CURENT");
    browser.awaitText("#found", "BMLDCCT:CURRENT");
    save("nothing-found");

    chart(served, "BMLDCCT:CURRENT" + DAY);
    save("day");
    browser.press("e");
    save("extreme");
    browser.press("?");
    save("help");
    browser.press(Keys.ESCAPE);
    chart(served, "CGRFCAV:D01_A01:VC,VALCCG:D01_L01A:PRES" + DAY);
    browser.at(0.3, 0.4).perform();
    save("archiver-down");
    chart(served, UNITS + MORNING);
    browser.at(0.5, 0.4).perform();
    save("units");
    browser.script(
        "const c = document.querySelector('#chart canvas').getBoundingClientRect();"
            + " document.getElementById('chart').dispatchEvent(new MouseEvent('click',"
            + " {bubbles: true, clientX: c.left + 20, clientY: c.top + 200})); return true");
    save("axis");
    chart(served, "BMLDCCT:CURRENT,BMHDCCT:CURRENT&from=2024-05-20T11:36&to=2024-05-20T11:37");
    save("near");
    chart(served, LANES + MORNING);
    browser.at(0.2, 0.4).perform();
    save("lanes");
    chart(served, FramesTest.CHANNELS + MORNING);
    save("many");
    chart(served, UNITS + MORNING + "&wall=1");
    save("wall");
    chart(damaged, "VALCCG:D01_L01A:PRES" + DAY);
    browser.await("return document.querySelector('#banners .banner')");
    save("damaged");
    chart(lossy, "BMLDCCT:CURRENT" + MORNING);
    save("lossy");
    open(served, "/?c=BMLDCCT:CURRENT&from=2023-01-01&to=2023-01-02");
    browser.await("return document.querySelector('#state button')");
    save("no-events");
    chart(served, "BMLDCCT:CURENT,BMLDCCT:CURRENT" + MORNING);
    browser.await("return document.querySelector('#banners .banner')");
    save("unknown-channel");
    chart(growing, "BMLDCCT:CURRENT,BMHDCCT:CURRENT&from=now-2min&to=now&live=1");
    save("live");
    open(served, "/status?");
    browser.await("return document.querySelector('.panel')");
    save("status");
    open(served, "/channel?c=CGSAFE:D01_01:ITLK");
    browser.await("return document.querySelector('.panel')");
    save("channel");
    open(served, "/channel?c=BMLDCCT:CURRENT");
    browser.await("return document.querySelector('.panel')");
    save("channel-number");
    chart(served, "BMLDCCT:CURRENT" + MORNING);
    served.restart(
        () -> {
          browser.press("-");
          browser.await("return document.querySelector('#banners .banner.error')");
          save("server-away");
        });
  }

  private void chart(ServedArchiveFixture server, String query) {
    open(server, "/?c=" + query);
    browser.awaitDrawn();
    browser.await("return document.querySelector('.overview canvas').dataset.drawn !== undefined");
  }

  private void open(ServedArchiveFixture server, String path) {
    browser.open("about:blank");
    browser.open(server.address() + path + "&lang=" + language + "&theme=" + theme);
  }

  private void save(String state) {
    browser.settle();
    browser.screenshot(folder.resolve(state + ".png"));
    assertThat(
            browser.number(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth"))
        .as("pixels that %s is too wide", folder.resolve(state))
        .isLessThanOrEqualTo(0);
  }
}
