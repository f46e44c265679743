package org.kblake.test.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What axe-core says of the pages: contrast, names of controls, roles. Read-outs have 7:1. */
@Tag("browser")
final class ContrastTest {

  private static final List<String> PAGES =
      List.of(
          "/",
          "/?c=BMLDCCT:CURRENT,VALCCG:D01_L01A:PRES,CGOPE:STATUS:MODE&" + ServedArchiveFixture.DAY,
          "/?c=BMLDCCT:CURRENT&from=2023-01-01&to=2023-01-02",
          "/?c=BMLDCCT:CURENT&" + ServedArchiveFixture.DAY,
          "/status",
          "/channel?c=BMLDCCT:CURRENT");

  @TempDir private static Path directory;

  private static ServedArchiveFixture served;
  private static Browser browser;
  private static String axe = "";

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    served = ServedArchiveFixture.day(directory.resolve("archive"));
    browser = Browser.start("en", false).size(1280, 720);
    try (InputStream in = ContrastTest.class.getResourceAsStream("/axe.min.js")) {
      axe = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @AfterAll
  static void stop() throws IOException, InterruptedException {
    browser.close();
    served.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void pagesPass(String theme) {
    browser.theme(theme);
    for (String page : PAGES) {
      browser.open(served.address() + page);
      browser.await(
          "return document.querySelector('#state:not([hidden]) h1, .panel, #banners .banner,"
              + " #chart[data-drawn][aria-busy=false]')");
      assertThat(violations("['wcag2a', 'wcag2aa']", "document")).as(theme + " " + page).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void readOutsHaveSevenToOne(String theme) {
    browser.theme(theme);
    browser.openChart(
        served.address() + "/?c=BMLDCCT:CURRENT,VALCCG:D01_L01A:PRES&" + ServedArchiveFixture.DAY);
    browser.at(0.5, 0.4).perform();
    browser.awaitText(".readout", "CURRENT");
    assertThat(violations("['wcag2aaa']", "'#readout, .rail'")).isEmpty();
  }

  @SuppressWarnings("unchecked")
  private List<String> violations(String tags, String where) {
    browser.script(axe + "; return true");
    return (List<String>)
        browser.later(
            "const done = arguments[0]; axe.run("
                + where
                + ", { runOnly: { type: 'tag', values: "
                + tags
                + " } }).then(each => done(each.violations.flatMap(rule => rule.nodes.map(node =>"
                + " rule.id + ' ' + node.html.slice(0, 120) + ' ' + node.failureSummary))))");
  }
}
