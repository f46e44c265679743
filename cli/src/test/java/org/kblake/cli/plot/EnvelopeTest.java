package org.kblake.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.kblake.cli.draw.PngDrawing;
import org.kblake.cli.draw.ValueAxis;
import org.kblake.cli.plot.TestPlots.Event;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.TimeRange;

/** The curve has the least and the greatest value of each column, and nothing beside them. */
final class EnvelopeTest {

  private static final int WIDTH = 60;
  private static final int ROWS = 9;

  /** The amount of red between blue and the ground. */
  private static final int HALF = 0x8c;

  private static List<Event> randomEvents(Random random, long nanos) {
    List<Event> events = new ArrayList<>();
    int count = random.nextInt(400);
    long time = 0;
    for (int i = 0; i < count && time < nanos; i++) {
      double value = Math.rint(random.nextGaussian() * 100);
      events.add(Event.of(time, random.nextInt(20) == 0 ? value * 10 : value));
      time += random.nextInt(1 + (int) (3 * nanos / count));
    }
    return events;
  }

  @Test
  void dotsOfAColumnAreThoseBetweenTheLeastAndTheGreatestValue() throws Exception {
    Seeds.each(
        "Envelope",
        100,
        seed -> {
          Random random = new Random(seed);
          long nanos = 1L + random.nextInt(100_000);
          List<Event> events = randomEvents(random, nanos);
          String text = text(new TimeRange(0, nanos), events);
          assertThat(dots(text)).as(text).isEqualTo(expected(nanos, events, text));
        });
  }

  private static String text(TimeRange range, List<Event> events) {
    return TextPlot.draw(
        TestPlots.plot(range, TextPlot.columns(WIDTH), events), WIDTH, ROWS + 4, true, false);
  }

  /** Returns for each column of dots the rows of its dots. */
  private static List<List<Integer>> dots(String text) {
    List<String> lines = text.lines().toList().subList(1, 1 + ROWS);
    int left = left(lines);
    List<List<Integer>> dots = new ArrayList<>();
    for (int x = 0; x < 2 * (WIDTH - left); x++) {
      List<Integer> column = new ArrayList<>();
      for (int y = 0; y < 4 * ROWS; y++) {
        String line = lines.get(y / 4);
        int at = left + x / 2;
        int bits = at < line.length() && line.charAt(at) != ' ' ? line.charAt(at) - 0x2800 : 0;
        int[][] masks = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
        if ((bits & masks[x % 2][y % 4]) != 0) {
          column.add(y);
        }
      }
      dots.add(column);
    }
    return dots;
  }

  private static int left(List<String> lines) {
    return Math.max(lines.get(0).indexOf('│'), lines.get(0).indexOf('┤')) + 1;
  }

  private static List<List<Integer>> expected(long nanos, List<Event> events, String text) {
    int columns = 2 * (WIDTH - left(text.lines().toList().subList(1, 1 + ROWS)));
    TimeBins bins = TimeBins.of(new TimeRange(0, nanos), TextPlot.columns(WIDTH));
    double least = events.stream().mapToDouble(Event::value).min().orElse(Double.NaN);
    double greatest = events.stream().mapToDouble(Event::value).max().orElse(Double.NaN);
    ValueAxis axis = ValueAxis.of(least, greatest);
    List<List<Integer>> expected = new ArrayList<>();
    for (int x = 0; x < columns; x++) {
      double low = Double.NaN;
      double high = Double.NaN;
      for (Event event : events) {
        // A column of dots may show two bins
        double middle = (bins.binOf(event.nanos()) + 0.5) * bins.stepNanos();
        int column = Math.min(columns - 1, (int) (Math.min(1, middle / nanos) * columns));
        if (column < x) {
          low = event.value();
          high = event.value();
        } else if (column == x) {
          low = Double.isNaN(low) ? event.value() : Math.min(low, event.value());
          high = Double.isNaN(high) ? event.value() : Math.max(high, event.value());
        }
      }
      List<Integer> rows = new ArrayList<>();
      if (!Double.isNaN(low)) {
        int bottom = (int) Math.round((1 - axis.share(low)) * (4 * ROWS - 1));
        int top = (int) Math.round((1 - axis.share(high)) * (4 * ROWS - 1));
        for (int y = top; y <= bottom; y++) {
          rows.add(y);
        }
      }
      expected.add(rows);
    }
    return expected;
  }

  /** A column of pixels has the colour of the curve at its least and its greatest value. */
  @Test
  void pixelsOfAColumnHaveTheLeastAndTheGreatestValue() throws IOException {
    TimeRange range = new TimeRange(0, 1_000_000);
    List<Event> events =
        randomEvents(new Random(Seeds.one("pixels of an envelope")), range.toNanos());
    int width = 500;
    int height = 300;
    Plot plot = TestPlots.plot(range, PicturePlot.columns(width), events);
    PngDrawing drawing = new PngDrawing(width, height);
    PicturePlot.draw(plot, drawing);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    drawing.write(bytes);
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(bytes.toByteArray()));

    assertThat(image.getWidth()).isEqualTo(width);
    assertThat(image.getHeight()).isEqualTo(height);
    for (Event event : events) {
      double bin = Math.floor((double) event.nanos() / plot.bins().stepNanos()) + 0.5;
      double[] at = PicturePlot.position(plot, drawing, 0, bin, event.value());
      int x = (int) at[0];
      int y = (int) at[1];
      assertThat(isNearInk(image, x, y)).as("event %s at %d, %d", event, x, y).isTrue();
    }
  }

  /** The line is 1.5 pixels thick, and its edges are mixed with the ground. */
  private static boolean isNearInk(BufferedImage image, int x, int y) {
    for (int dx = -1; dx <= 1; dx++) {
      for (int dy = -1; dy <= 1; dy++) {
        Color color = new Color(image.getRGB(x + dx, y + dy));
        if (color.getRed() < HALF && color.getBlue() > color.getRed() + HALF / 2) {
          return true;
        }
      }
    }
    return false;
  }
}
