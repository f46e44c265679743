package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.simulate.Preset;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationListener;
import org.kblake.simulate.SimulationSettings;
import org.kblake.test.fixture.archive.SetBackArchive;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * What {@code kblake plot} draws is what {@code kblake get} says. A place in a picture becomes a
 * time and a value by the labels of the axes, and by nothing else.
 */
final class PlotAgainstDataTest {

  private static final String RANGE = "--from 20240520 --to 202405200040 ";
  private static final double BEGIN = secondsOf("00:00", "2024-05-20, +09:00");
  private static final Pattern CLOCK = Pattern.compile("\\d\\d:\\d\\d");

  /** The bits of a braille pattern, by column and row of the dot. */
  private static final int[] BRAILLE = {0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80};

  private static final int TITLE_HEIGHT = 22;
  private static final int LABEL_BASELINE = 4;
  private static final double PIXEL = 1.05;

  @TempDir private static Path directory;

  private static Path archive = Path.of("");

  @BeforeAll
  static void simulate() throws IOException, InterruptedException {
    archive = directory.resolve("archive");
    SimulationSettings settings =
        SimulationSettings.of(Preset.DEMO, archive)
            .start(Instant.parse("2024-05-19T14:50:00Z"))
            .length(Duration.ofHours(1));
    Simulation.run(settings, SimulationListener.NONE);
  }

  private static KblakeRun run(Path root, String line) {
    KblakeRun run =
        KblakeRun.in(directory)
            .with("KBLAKE_ARCHIVE", root.toString())
            .with("LC_ALL", "C.UTF-8")
            .leavingAlone(root)
            .run(line.strip().split(" +"));
    assertThat(run.status()).as(run.err()).isZero();
    return run;
  }

  /** A value from the time on; NaN if there is none. */
  private record Event(double seconds, double value) {}

  private record Point(double x, double y) {}

  /** The line through places and what they mean. */
  private record Scale(double atZero, double perUnit) {

    static Scale of(List<Point> labels) {
      assertThat(labels).as("labels of an axis").hasSizeGreaterThan(1);
      Point first = labels.get(0);
      Point last = labels.get(labels.size() - 1);
      double perUnit = (last.y - first.y) / (last.x - first.x);
      Scale scale = new Scale(first.y - first.x * perUnit, perUnit);
      for (Point label : labels) {
        assertThat(scale.place(label.x)).isCloseTo(label.y, within(PIXEL));
      }
      return scale;
    }

    double place(double meaning) {
      return atZero + meaning * perUnit;
    }
  }

  private static org.assertj.core.data.Offset<Double> within(double value) {
    return org.assertj.core.data.Offset.offset(value);
  }

  private static List<Event> events(Path root, String channel) {
    List<Event> events = new ArrayList<>();
    for (String line :
        run(root, "get " + RANGE + "--held --columns time,state,value " + channel)
            .out()
            .lines()
            .skip(1)
            .toList()) {
      String[] cells = line.split(",", -1);
      if (!cells[1].equals("connected")) {
        double value = cells[1].equals("value") ? Double.parseDouble(cells[2]) : Double.NaN;
        Instant time = Instant.parse(cells[0]);
        events.add(new Event(time.getEpochSecond() + time.getNano() / 1e9, value));
      }
    }
    assertThat(events).hasSizeGreaterThan(10);
    return events;
  }

  private static double secondsOf(String label, String caption) {
    Matcher matcher =
        Pattern.compile("(\\d{4}-\\d\\d-\\d\\d), ([+-]\\d\\d:\\d\\d)").matcher(caption);
    assertThat(matcher.find()).as(caption).isTrue();
    return LocalDate.parse(matcher.group(1))
        .atTime(LocalTime.parse(label))
        .toEpochSecond(ZoneOffset.of(matcher.group(2)));
  }

  /**
   * Returns the least and the greatest place of the values of a time, and of what is held then: of
   * the events that are not later, the last in log order.
   */
  private static double[] range(List<Event> events, double from, double to, Scale values) {
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    double next = Double.POSITIVE_INFINITY;
    for (int i = events.size() - 1; i >= 0; i--) {
      double end = Math.max(events.get(i).seconds, next);
      next = Math.min(events.get(i).seconds, next);
      double value = events.get(i).value;
      if (events.get(i).seconds <= to && end >= from && !Double.isNaN(value)) {
        // Infinities are at the ends of an axis.
        double place = value == Double.POSITIVE_INFINITY ? 0 : values.place(value);
        least = Math.min(least, place);
        greatest = Math.max(greatest, place);
      }
    }
    return new double[] {least, greatest};
  }

  private static Stream<Element> elements(Element root, String name) {
    NodeList list = root.getElementsByTagName(name);
    return Stream.iterate(0, i -> i + 1).limit(list.getLength()).map(i -> (Element) list.item(i));
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  /** What a picture shows: the scales of its labels, and the points of its curve. */
  private record Picture(Scale times, Scale values, List<Point> labels, List<List<Point>> curves) {}

  private static Picture svg(Path file) throws Exception {
    Element root =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getDocumentElement();
    String caption =
        elements(root, "text")
            .map(Element::getTextContent)
            .filter(each -> each.contains("+09:00"))
            .findFirst()
            .orElseThrow();
    List<Point> times = new ArrayList<>();
    List<Point> values = new ArrayList<>();
    elements(root, "text")
        .forEach(
            text -> {
              String content = text.getTextContent();
              boolean isEnd = text.getAttribute("text-anchor").equals("end");
              if (isEnd && content.matches("-?[0-9.]+(e-?\\d+)?")) {
                values.add(
                    new Point(Double.parseDouble(content), number(text, "y") - LABEL_BASELINE));
              } else if (content.matches("\\d\\d:\\d\\d")) {
                times.add(new Point(secondsOf(content, caption), number(text, "x")));
              }
            });
    List<List<Point>> curves =
        elements(root, "path")
            .filter(path -> path.getAttribute("class").equals("s-blue"))
            .filter(path -> path.getAttribute("stroke-dasharray").isEmpty())
            .map(
                path ->
                    Stream.of(path.getAttribute("d").substring(1).split(" "))
                        .map(each -> each.split(","))
                        .map(e -> new Point(Double.parseDouble(e[0]), Double.parseDouble(e[1])))
                        .toList())
            .toList();
    return new Picture(Scale.of(times), Scale.of(values), values, curves);
  }

  /** Each point of a curve has a value that the channel has then, and each event has a point. */
  private static void compare(List<Event> events, Picture picture, double near) {
    Scale times = picture.times;
    // A curve ends at the end of a bin, which is as wide as a pixel.
    double wide = 1.6 * near / times.perUnit;
    int compared = 0;
    for (List<Point> curve : picture.curves) {
      for (Point point : curve) {
        double time = (point.x - times.atZero) / times.perUnit;
        double[] truth = range(events, time - wide, time + wide, picture.values);
        assertThat(point.y).as("%s", point).isBetween(truth[0] - near, truth[1] + near);
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(100);
    for (Event event : events) {
      if (event.seconds >= BEGIN && Double.isFinite(event.value)) {
        double x = times.place(event.seconds);
        double y = picture.values.place(event.value);
        assertThat(picture.curves.stream().flatMap(List::stream))
            .as("%s at %s, %s", event, x, y)
            .anyMatch(each -> Math.abs(each.x - x) <= near && Math.abs(each.y - y) <= near);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"BMLDCCT:CURRENT", "BMLDCCT:D01:TEMP01"})
  void curvesAreTheEventsInEachForm(String channel) throws Exception {
    assertPictures(archive, channel);
  }

  /** Between the events behind the place where the clock was set back, others have later times. */
  @Test
  void curvesHoldTheLastValueInLogOrderWhereAClockWasSetBack() throws Exception {
    Path root = directory.resolve("back");
    SetBackArchive.write(root, Instant.ofEpochSecond((long) BEGIN));
    assertPictures(root, "K:X");
  }

  private static void assertPictures(Path root, String channel) throws Exception {
    List<Event> events = events(root, channel);
    run(root, "plot -o a.svg " + RANGE + channel);
    run(root, "plot -o a.png " + RANGE + channel);
    Picture picture = svg(directory.resolve("a.svg"));

    compare(events, picture, PIXEL);
    compare(events, terminal(run(root, "plot " + RANGE + channel).out().lines().toList()), PIXEL);
    assertPixels(picture, ImageIO.read(directory.resolve("a.png").toFile()));
  }

  /** Returns what a plot of characters shows. The unit of its places is a character. */
  private static Picture terminal(List<String> lines) {
    int foot = 1;
    while (lines.get(foot).indexOf('└') < 0) {
      foot++;
    }
    int margin = lines.get(foot).indexOf('└') + 1;
    List<Point> values = new ArrayList<>();
    List<Point> dots = new ArrayList<>();
    for (int row = 1; row < foot; row++) {
      String line = lines.get(row);
      String label = line.substring(0, margin - 1).strip();
      if (!label.isEmpty()) {
        values.add(new Point(Double.parseDouble(label), row + 0.5));
      }
      for (int column = margin; column < line.length(); column++) {
        int bits = line.charAt(column) - 0x2800;
        for (int dot = 0; bits > 0 && bits < 256 && dot < 8; dot++) {
          if ((bits & BRAILLE[dot]) != 0) {
            int right = dot / 4;
            dots.add(new Point(column + right * 0.5 + 0.25, row + dot % 4 * 0.25 + 0.125));
          }
        }
      }
    }
    List<Point> times = new ArrayList<>();
    Matcher label = CLOCK.matcher(lines.get(foot + 1));
    while (label.find()) {
      times.add(new Point(secondsOf(label.group(), lines.get(foot + 2)), label.start() + 2.5));
    }
    return new Picture(Scale.of(times), Scale.of(values), values, List.of(dots));
  }

  /**
   * The pixels of the same drawing have the curve and the lines of the labels at the same places.
   */
  private static void assertPixels(Picture picture, BufferedImage image) {
    List<Point> points = picture.curves.stream().flatMap(List::stream).toList();
    for (Point point : points) {
      assertThat(hasColour(image, point.x, point.y, 1)).as("colour at %s", point).isTrue();
    }
    for (Point label : picture.labels) {
      int line = 0;
      for (int x = 0; x < image.getWidth(); x++) {
        line += (image.getRGB(x, (int) Math.floor(label.y)) & 0xffffff) != 0xffffff ? 1 : 0;
      }
      assertThat(line)
          .as("pixels of the line of the label at %s", label.y)
          .isGreaterThan(image.getWidth() / 2);
    }
    double left = points.stream().mapToDouble(Point::x).min().orElseThrow();
    int compared = 0;
    for (int x = (int) left; x < image.getWidth(); x++) {
      for (int y = TITLE_HEIGHT; y < image.getHeight(); y++) {
        if (hasColour(image, x, y, 0)) {
          double at = x;
          double height = y;
          assertThat(picture.curves)
              .as("colour at %s, %s", x, y)
              .anyMatch(curve -> passes(curve, at, height));
          compared++;
        }
      }
    }
    assertThat(compared).isGreaterThan(points.size() / 2);
  }

  private static boolean hasColour(BufferedImage image, double x, double y, int near) {
    for (int column = Math.max(0, (int) x - near);
        column <= Math.min(image.getWidth() - 1, (int) x + near);
        column++) {
      for (int row = Math.max(0, (int) y - near);
          row <= Math.min(image.getHeight() - 1, (int) y + near);
          row++) {
        int rgb = image.getRGB(column, row);
        if ((rgb & 0xff) - (rgb >> 16 & 0xff) > 80) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean passes(List<Point> curve, double x, double y) {
    for (int i = 1; i < curve.size(); i++) {
      Point one = curve.get(i - 1);
      Point other = curve.get(i);
      if (x > Math.min(one.x, other.x) - 2
          && x < Math.max(one.x, other.x) + 2
          && y > Math.min(one.y, other.y) - 2
          && y < Math.max(one.y, other.y) + 2) {
        return true;
      }
    }
    return false;
  }
}
