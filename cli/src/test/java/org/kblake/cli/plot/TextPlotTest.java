package org.kblake.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.cli.frame.TextColor;
import org.kblake.cli.plot.TestPlots.Event;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.SpanKind;

final class TextPlotTest {

  private static final TimeRange RANGE = new TimeRange(0, 3_000);

  private static final List<Event> EVENTS =
      List.of(
          Event.of(0, -1234.5678),
          Event.of(500, 1e-9),
          new Event(1_000, EventState.DISCONNECTED, 0),
          Event.of(2_000, 3e7));

  private static Plot plot() {
    return TestPlots.plot(
        RANGE, 500, EVENTS, TestPlots.span(SpanKind.ARCHIVER_DOWN, 1_200, 1_700, false));
  }

  @Test
  void plotFitsWindowsOfAnySize() {
    for (int width = 30; width <= 200; width++) {
      for (int height : new int[] {10, 23, 60}) {
        for (boolean unicode : new boolean[] {true, false}) {
          String text = TextPlot.draw(plot(), width, height, unicode, false);
          assertThat(text.lines()).as(text).hasSize(height);
          int most = text.lines().mapToInt(String::length).max().orElse(0);
          assertThat(most).as(text).isLessThanOrEqualTo(width);
        }
      }
    }
  }

  @Test
  void plotWithoutUnicodeIsAscii() {
    assertThat(TextPlot.draw(plot(), 40, 23, true, false)).contains("µs after").contains("×");
    assertThat(TextPlot.draw(plot(), 40, 23, false, false))
        .contains("us after 1970-01-01")
        .matches("[\\x20-\\x7e\\n]+");
  }

  @Test
  void colorsAreUsedOnlyIfAskedFor() {
    assertThat(TextPlot.draw(plot(), 80, 23, true, false)).doesNotContain("\u001b");
    assertThat(TextPlot.draw(plot(), 80, 23, true, true)).contains(TextColor.BOLD.of("VA:1"));
  }

  @Test
  void channelWithoutAnyValueHasAnEmptyPanel() {
    String text = TextPlot.draw(TestPlots.plot(RANGE, 500, List.of()), 80, 23, true, false);

    assertThat(text.lines()).hasSize(23);
    assertThat(text).doesNotContain("min").startsWith("VA:1\n");
  }
}
