package org.kblake.test.kblogrd;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.IndexCheck;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.NaiveReader;

/**
 * Compares kblogrd on random archives with {@link NaiveReader}, from raw logs and from columns. The
 * format free prints all events. The format kaleida prints a row for each instant at which a value
 * changes. A failure names its seed.
 */
final class KblogrdAgainstNaiveReaderTest {

  private static final int ARCHIVES = Seeds.cases(2, 6);

  private static final ZoneId ZONE = RandomArchive.ZONE;
  private static final long SECOND = 1_000_000_000L;
  private static final MathContext SEVEN = new MathContext(7, RoundingMode.HALF_EVEN);

  @TempDir Path directory;

  private final OccurrenceCount compared = new OccurrenceCount();

  @Test
  void printsTheEventsOfTheNaiveReader() throws Exception {
    Seeds.each("kblogrd", ARCHIVES, this::check);
    compared.print("kblogrd");
    compared.require("free", ARCHIVES);
    compared.require("free lines", 25L * ARCHIVES);
    compared.require("kaleida", ARCHIVES / 2);
    compared.require("kaleida rows", 10L * ARCHIVES);
  }

  private void check(long seed) throws Exception {
    Path root = directory.resolve("seed" + seed);
    Path store = directory.resolve("store" + seed);
    RandomArchive.Written written = RandomArchive.write(root, seed);
    TestStores.closePairs(root);
    Archive archive =
        Archive.open(
            root,
            ArchiveSettings.defaults()
                .withZone(ZONE)
                .withTail(TailRule.FINAL)
                .withDisorderBoundNanos(RandomArchive.DISORDER_BOUND_NANOS));
    KblakeRun.Builder runner =
        KblakeRun.in(directory)
            .at(Instant.parse("2100-01-01T00:00:00Z"))
            .with("KBLAKE_ZONE", ZONE.getId())
            .with("KBLAKE_ARCHIVE", root.toString());
    List<Group> groups = new ArrayList<>();
    for (Group group : written.groups()) {
      // In other archives a range read may skip a segment (docs/format-notes.md).
      if (IndexCheck.leadsEverywhere(archive, group)) {
        groups.add(group);
      }
    }
    for (Group group : groups) {
      check(root, group, runner);
    }
    TestStores.backfill(archive, store, TimeRange.ALL);
    runner.with("KBLAKE_STORE", store.toString());
    for (Group group : groups) {
      check(root, group, runner);
    }
  }

  private void check(Path root, Group group, KblakeRun.Builder runner) throws Exception {
    List<NaiveReader.Event> events = new ArrayList<>();
    long latest = Long.MIN_VALUE;
    long orderedUpTo = Long.MAX_VALUE;
    for (NaiveReader.Event event :
        NaiveReader.read(root, group.toString(), false, ZONE, RandomArchive.DISORDER_BOUND_NANOS)) {
      if (!event.stray()) {
        events.add(event);
        if (latest != Long.MIN_VALUE
            && event.nanos() < latest - RandomArchive.DISORDER_BOUND_NANOS) {
          orderedUpTo = Math.min(orderedUpTo, event.nanos());
        }
        latest = Math.max(latest, event.nanos());
      }
    }
    checkFree(group, events, runner);
    checkKaleida(group, events, orderedUpTo, runner);
  }

  private void checkFree(Group group, List<NaiveReader.Event> events, KblakeRun.Builder runner)
      throws Exception {
    if (events.isEmpty()) {
      return;
    }
    long from = Math.floorDiv(events.get(events.size() / 3).nanos(), SECOND);
    long to = Math.max(from, Math.floorDiv(events.get(events.size() * 2 / 3).nanos(), SECOND));
    // A local time that exists twice would mean another instant.
    if (!isOnce(from) || !isOnce(to)) {
      return;
    }
    String times = stamp(from) + "-" + stamp(to);
    KblakeRun free = runner.kblogrd("-t", times, group.toString());
    assertThat(free.out()).as("free %s %s", group, times).isEqualTo(free(events, from, to));
    compared.add("free");
    compared.add("free lines", free.out().lines().count());
  }

  /**
   * Compares the rows of kaleida.
   *
   * @param orderedUpTo earlier events are in order, within the disorder bound
   */
  private void checkKaleida(
      Group group, List<NaiveReader.Event> events, long orderedUpTo, KblakeRun.Builder runner)
      throws Exception {
    List<NaiveReader.Event> ordered =
        events.stream().filter(event -> event.nanos() < orderedUpTo - SECOND).toList();
    if (ordered.isEmpty()) {
      return;
    }
    long from = Math.floorDiv(ordered.get(ordered.size() / 3).nanos(), SECOND);
    long to = Math.max(from, Math.floorDiv(ordered.get(ordered.size() * 2 / 3).nanos(), SECOND));
    if (!isOnce(from) || !isOnce(to)) {
      return;
    }
    String times = stamp(from) + "-" + stamp(to);
    KblakeRun table = runner.kblogrd("-f", "kaleida", "-t", times, group.toString());
    List<String> columns = List.of(table.out().lines().findFirst().orElseThrow().split("\t"));
    assertThat(table.out())
        .as("kaleida %s %s", group, times)
        .isEqualTo(kaleida(events, columns, from, to));
    compared.add("kaleida");
    compared.add("kaleida rows", table.out().lines().count() - 1);
  }

  private static boolean isOnce(long second) {
    var local = LocalDateTime.ofInstant(Instant.ofEpochSecond(second), ZONE);
    return ZONE.getRules().getValidOffsets(local).size() == 1;
  }

  private static String stamp(long second) {
    return DateTimeFormatter.ofPattern("uuuuMMddHHmmss")
        .withZone(ZONE)
        .format(Instant.ofEpochSecond(second));
  }

  private static boolean isIn(NaiveReader.Event event, long from, long to) {
    return event.nanos() >= from * SECOND && event.nanos() < (to + 1) * SECOND;
  }

  private static String free(List<NaiveReader.Event> events, long from, long to) {
    DateTimeFormatter format = DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm:ss.SS").withZone(ZONE);
    StringBuilder text = new StringBuilder();
    for (NaiveReader.Event event : events) {
      if (isIn(event, from, to)) {
        text.append(format.format(Instant.EPOCH.plus(event.nanos(), ChronoUnit.NANOS)));
        text.append('\t').append(event.record());
        if (event.state() != 2) {
          text.append(event.state() == 1 ? "\tConnected" : "\tDisconnected");
        } else {
          for (Object element : event.value()) {
            String cell = cell(event, element);
            text.append('\t')
                .append(cell.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n"));
          }
        }
        text.append('\n');
      }
    }
    return text.toString();
  }

  private static String kaleida(
      List<NaiveReader.Event> events, List<String> columns, long from, long to) {
    DateTimeFormatter format = DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm:ss").withZone(ZONE);
    // Maps an instant to the events that can give the value at that instant, which are all events
    // up to it.
    TreeMap<Long, Boolean> instants = new TreeMap<>();
    for (NaiveReader.Event event : events) {
      if (event.state() == 2 && isIn(event, from, to)) {
        instants.put(event.nanos(), true);
      }
    }
    StringBuilder text = new StringBuilder(String.join("\t", columns)).append('\n');
    Map<String, Integer> before = held(events, from * SECOND - 1);
    for (long instant : instants.keySet()) {
      Map<String, Integer> now = held(events, instant);
      if (!now.equals(before)) {
        text.append(format.format(Instant.EPOCH.plus(instant, ChronoUnit.NANOS)));
        for (String column : columns.subList(1, columns.size())) {
          text.append('\t').append(cell(events, now, column));
        }
        text.append('\n');
      }
      before = now;
    }
    return text.toString();
  }

  /** Returns, by record, the index of the event that sets the value held at an instant. */
  private static Map<String, Integer> held(List<NaiveReader.Event> events, long nanos) {
    Map<String, Integer> held = new LinkedHashMap<>();
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i).state() == 2 && events.get(i).nanos() <= nanos) {
        held.put(events.get(i).record(), i);
      }
    }
    return held;
  }

  private static String cell(
      List<NaiveReader.Event> events, Map<String, Integer> held, String column) {
    String record = column;
    int element = 0;
    if (!held.containsKey(column) && column.endsWith("]")) {
      record = column.substring(0, column.lastIndexOf('['));
      element =
          Integer.parseInt(column.substring(column.lastIndexOf('[') + 1, column.length() - 1));
    }
    Integer index = held.get(record);
    if (index == null || element >= events.get(index).value().size()) {
      return "NaN";
    }
    NaiveReader.Event event = events.get(index);
    String cell = cell(event, event.value().get(element));
    if (!event.type().equals("string")) {
      return cell;
    }
    return cell.isEmpty()
        ? "\"\""
        : cell.replaceAll("[\\s\\x1c-\\x1f\\x85\\p{Zs}\\p{Zl}\\p{Zp}]", "_");
  }

  private static String cell(NaiveReader.Event event, Object element) {
    return switch (event.type()) {
      case "double" -> exponent(Double.longBitsToDouble((Long) element));
      case "float" -> exponent(Float.intBitsToFloat(((Long) element).intValue()));
      default -> element.toString();
    };
  }

  private static String exponent(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    if (Double.isInfinite(value)) {
      return sign + "INF";
    }
    if (value == 0) {
      return sign + "0.000000e+00";
    }
    BigDecimal rounded = new BigDecimal(Math.abs(value)).round(SEVEN);
    int exponent = rounded.precision() - rounded.scale() - 1;
    String digits = rounded.unscaledValue() + "000000";
    return String.format(
        "%s%s.%se%s%02d",
        sign,
        digits.charAt(0),
        digits.substring(1, 7),
        exponent < 0 ? "-" : "+",
        Math.abs(exponent));
  }
}
