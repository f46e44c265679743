package org.kblake.lake.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The kinds of a group's times. Kblog writes at least each ten nanoseconds here. */
final class CoverageSpansTest {

  private static final Map<String, String> NEXT = Map.of("1", "2");

  private static PublishedSpan published(
      String pair, long from, boolean closes, PublishedSpan.Times... written) {
    PublishedSpan.Times last = written[written.length - 1];
    return new PublishedSpan(
        "block",
        pair,
        from,
        from + 100,
        written[0].from(),
        last.to(),
        last.to(),
        10,
        closes,
        List.of(written),
        List.of());
  }

  private static PublishedSpan.Times span(long from, long to) {
    return new PublishedSpan.Times(from, to);
  }

  private static List<String> kinds(PublishedSpan... parts) {
    return CoverageSpans.of(List.of(parts), NEXT).stream()
        .map(found -> found.from() + " " + found.to() + " " + found.kind().text())
        .toList();
  }

  @Test
  void betweenPairsThatFollowEachOtherTheArchiverWasDown() {
    assertThat(
            kinds(published("1", 0, true, span(100, 200)), published("2", 0, true, span(300, 400))))
        .containsExactly("100 200 in columns", "200 300 archiver down", "300 400 in columns");
  }

  @Test
  void aPairMayEndBeforeItsOtherWritesIfTheClockWasSetBack() {
    assertThat(
            kinds(
                published("1", 0, true, span(100, 200)),
                published("2", 0, true, span(500, 600), span(800, 900), span(300, 400))))
        .containsExactly(
            "100 200 in columns",
            "200 300 archiver down",
            "300 400 in columns",
            "400 500 archiver down",
            "500 600 in columns",
            "600 800 archiver down",
            "800 900 in columns");
  }

  @Test
  void aPairMayGoOnInAnotherBlock() {
    assertThat(
            kinds(
                published("1", 0, false, span(100, 200)),
                published("1", 100, true, span(300, 400))))
        .containsExactly("100 200 in columns", "200 300 archiver down", "300 400 in columns");
  }

  @Test
  void aShortTimeBetweenPairsIsNoStop() {
    assertThat(
            kinds(published("1", 0, true, span(100, 200)), published("2", 0, true, span(210, 400))))
        .containsExactly("100 400 in columns");
  }

  @Test
  void damageCoversWhatWasWritten() {
    PublishedSpan whole = published("1", 0, true, span(100, 200));
    PublishedSpan damaged =
        new PublishedSpan(
            whole.block(),
            whole.pair(),
            whole.from(),
            whole.to(),
            whole.begin(),
            whole.lastWrite(),
            whole.end(),
            whole.silence(),
            whole.closes(),
            whole.written(),
            List.of(span(150, 160)));
    assertThat(kinds(damaged))
        .containsExactly("100 150 in columns", "150 160 damaged", "160 200 in columns");
  }

  @Test
  void aGroupMayHaveNoSpans() {
    assertThat(kinds()).isEmpty();
  }

  @Test
  void nothingIsKnownBesideSpansThatAreNotInTheTables() {
    assertThat(
            kinds(
                published("1", 0, false, span(100, 200)), published("2", 0, true, span(300, 400))))
        .containsExactly("100 200 in columns", "300 400 in columns");
    assertThat(
            kinds(
                published("1", 0, false, span(100, 200)),
                published("1", 200, true, span(300, 400))))
        .containsExactly("100 200 in columns", "300 400 in columns");
    assertThat(
            kinds(published("1", 0, true, span(100, 200)), published("3", 0, true, span(300, 400))))
        .containsExactly("100 200 in columns", "300 400 in columns");
  }
}
