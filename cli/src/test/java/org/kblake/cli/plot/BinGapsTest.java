package org.kblake.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.cli.draw.SvgDrawing;
import org.kblake.cli.plot.TestPlots.Event;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;

/**
 * A value that is held, a disconnection, times when the archiver was down and times that cannot be
 * read look different.
 */
final class BinGapsTest {

  private static final long SECOND = 1_000_000_000L;
  private static final TimeRange RANGE = new TimeRange(0, 60 * SECOND);

  private static final CoverageSpan[] SPANS = {
    TestPlots.span(SpanKind.ANSWERED, 0, 30 * SECOND, false),
    TestPlots.span(SpanKind.ARCHIVER_DOWN, 30 * SECOND, 40 * SECOND, false),
    TestPlots.span(SpanKind.UNAVAILABLE, 40 * SECOND, 50 * SECOND, true),
    TestPlots.span(SpanKind.ANSWERED, 50 * SECOND, 60 * SECOND, false)
  };

  /** Held from 0 to 60 s, disconnected from 10 to 20 s. */
  private static final List<Event> EVENTS =
      List.of(
          Event.of(0, 5),
          new Event(10 * SECOND, EventState.DISCONNECTED, 0),
          new Event(20 * SECOND, EventState.CONNECTED, 0));

  private static List<String> text(boolean unicode) {
    // A margin of 6 characters leaves one for each second
    Plot plot = TestPlots.plot(RANGE, 120, EVENTS, SPANS);
    return TextPlot.draw(plot, 66, 12, unicode, false).lines().toList();
  }

  private static String at(List<String> lines, int line, int second) {
    String text = lines.get(line);
    return text.length() > 6 + second ? text.substring(6 + second, 7 + second) : " ";
  }

  @Test
  void fourStatesLookDifferentInCharacters() {
    for (boolean unicode : new boolean[] {true, false}) {
      List<String> lines = text(unicode);
      int axis = lines.size() - 4;
      List<String> looks = new ArrayList<>();
      for (int second : new int[] {5, 15, 35, 45}) {
        StringBuilder look = new StringBuilder();
        for (int line = 1; line <= axis; line++) {
          look.append(at(lines, line, second));
        }
        looks.add(look.toString());
      }
      assertThat(looks).doesNotHaveDuplicates();
      assertThat(looks.get(2)).contains(unicode ? "╱" : "/");
      assertThat(looks.get(3)).contains("?");
      assertThat(looks.get(1).strip()).isEqualTo(unicode ? "×" : "x");
      assertThat(looks.get(0).replace(" ", "")).hasSize(2);
      assertThat(lines.get(lines.size() - 1))
          .contains("archiver down")
          .contains("not readable")
          .contains("disconnected");
    }
  }

  @Test
  void fourStatesLookDifferentInSvg() {
    Plot plot = TestPlots.plot(RANGE, 120, EVENTS, SPANS);
    SvgDrawing drawing = new SvgDrawing(400, 260);
    PicturePlot.draw(plot, drawing);

    assertThat(drawing.document())
        .contains("fill=\"url(#h-muted)\"")
        .contains("fill=\"url(#h-red)\"")
        .containsPattern("class=\"s-blue\"[^>]*stroke-dasharray")
        .containsPattern("class=\"s-blue\" d=\"[^\"]*\" stroke-width=\"1.5\"/>");
  }

  /** After a gap the value is known again, although no event follows. */
  @Test
  void lineIsInterruptedWhereNoValueIsKnown() {
    Plot plot = TestPlots.plot(RANGE, 120, EVENTS, SPANS);

    List<Trace.Line> lines = plot.lines(plot.panels().get(0));

    assertThat(lines.stream().map(Trace.Line::connected)).containsExactly(true, false, true, true);
    assertThat(lines.stream().map(line -> line.x()[0])).containsExactly(0.5, 20.0, 41.0, 100.0);
    assertThat(lines.stream().map(line -> line.x()[line.x().length - 1]))
        .containsExactly(20.0, 41.0, 60.0, 120.0);
  }

  /** In a year, an outage of minutes is narrower than a column. */
  @Test
  void shortGapsAreShownWithTheValuesOfTheirColumn() {
    CoverageSpan down =
        TestPlots.span(SpanKind.ARCHIVER_DOWN, 30 * SECOND, 30 * SECOND + SECOND / 100, false);
    Plot plot = TestPlots.plot(RANGE, 60, EVENTS, down);

    assertThat(plot.lines(plot.panels().get(0))).hasSize(3);
    assertThat(plot.panels().get(0).gaps().at(30)).isEqualTo(Gap.DOWN);
    assertThat(plot.panels().get(0).gaps().isUnknown(30)).isFalse();
  }

  /** A new log begins some milliseconds after its time. */
  @Test
  void momentsAtTheEdgesAreNotShown() {
    CoverageSpan begin = TestPlots.span(SpanKind.NOT_RECORDED, 0, SECOND / 2, false);
    CoverageSpan end =
        TestPlots.span(SpanKind.ARCHIVER_DOWN, 60 * SECOND - 1_000_000, 60 * SECOND, false);
    Plot plot = TestPlots.plot(RANGE, 60, EVENTS, begin, end);

    assertThat(plot.gaps()).isEmpty();
  }

  @Test
  void valueOlderThanTheLookBackIsNotHeld() {
    TimeBins bins = TimeBins.of(RANGE, 60);
    ChannelBins values = new ChannelBins(bins, 10 * SECOND);
    values.add(TestPlots.columns(List.of(Event.of(5 * SECOND, 1))), 0, 1);
    values.finish();
    Plot constant = TestPlots.plot(RANGE, 60, List.of());

    List<Trace.Line> lines = Trace.of(values, constant.panels().get(0).gaps(), bins.count());

    assertThat(lines).hasSize(1);
    assertThat(lines.get(0).x()).endsWith(16.0);
  }

  @Test
  void nanEndsTheLineAndInfinityIsAtTheEdge() {
    Plot plot =
        TestPlots.plot(
            RANGE,
            60,
            List.of(
                Event.of(0, 1),
                Event.of(10 * SECOND, Double.POSITIVE_INFINITY),
                Event.of(20 * SECOND, 2),
                Event.of(30 * SECOND, Double.NaN),
                Event.of(40 * SECOND, 1)));

    List<Trace.Line> lines = plot.lines(plot.panels().get(0));

    assertThat(lines).hasSize(2);
    assertThat(lines.get(0).x()).endsWith(30.5);
    assertThat(lines.get(1).x()[0]).isEqualTo(40.5);
    assertThat(Plot.valueAxis(lines).highest()).isEqualTo(2);
  }

  /** An event every tenth of a second fills all rows of each column. */
  @Test
  void gapBehindADenseCurveIsMarkedOnTheAxis() {
    List<Event> dense = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      dense.add(Event.of(i * SECOND / 10, i % 2));
    }
    CoverageSpan damaged = TestPlots.span(SpanKind.DAMAGED, 30 * SECOND + 1, 30 * SECOND + 2, true);
    Plot plot = TestPlots.plot(RANGE, 120, dense, damaged);

    List<String> lines = TextPlot.draw(plot, 66, 12, true, false).lines().toList();
    SvgDrawing drawing = new SvgDrawing(400, 260);
    PicturePlot.draw(plot, drawing);

    assertThat(at(lines, lines.size() - 4, 30)).isEqualTo("?");
    assertThat(lines.get(lines.size() - 4)).containsOnlyOnce("?");
    assertThat(drawing.document()).containsOnlyOnce(" height=\"3\" class=\"f-red\"/>");
  }

  /** The outage and the damage meet in one bin, or in the two bins of one character. */
  @Test
  void damageIsShownBesideAnOutage() {
    for (int bins : new int[] {60, 120}) {
      Plot plot =
          TestPlots.plot(
              RANGE,
              bins,
              EVENTS,
              TestPlots.span(SpanKind.DAMAGED, 30 * SECOND + 1, 30 * SECOND + 2, true),
              TestPlots.span(SpanKind.ARCHIVER_DOWN, 30 * SECOND + 2, 40 * SECOND, false));

      List<String> lines = TextPlot.draw(plot, 66, 12, true, false).lines().toList();

      assertThat(at(lines, 1, 30)).isEqualTo("?");
      assertThat(at(lines, 1, 31)).isEqualTo("╱");
    }
  }
}
