package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.Losses;
import org.kblake.query.answer.LossySpan;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.WrittenLedger;
import org.kblake.test.fixture.archive.WrittenLedger.Statement;

/** What readers take from ledgers of losses. */
final class LossesTest {

  private static final Group RF = new Group("RF", "AnalogData");
  private static final Group VA = new Group("VA", "CCG");
  private static final List<Group> BOTH = List.of(RF, VA);
  private static final Group OTHER = new Group("Kblake", "Record-b");
  private static final long SECOND = 1_000_000_000L;

  /** 2016-05-16T00:00:00+09:00. */
  private static final long BEGIN = 1_463_324_400 * SECOND;

  private static final Comparator<LossySpan> ORDER =
      Comparator.comparing(LossySpan::group)
          .thenComparingLong(span -> span.range().fromNanos())
          .thenComparingLong(span -> span.range().toNanos());

  @TempDir private Path directory;

  private Path root = Path.of("");

  @BeforeEach
  void nameRoot() {
    root = directory.resolve("archive");
  }

  private static long at(double seconds) {
    return BEGIN + Math.round(seconds * 1e9);
  }

  private static Statement lost(Group group, double from, double to, double count, double reason) {
    return Statement.of(group.toString(), at(from), at(to), count, reason);
  }

  private static LossySpan span(Group group, double from, double to, long count, String reason) {
    return new LossySpan(group, new TimeRange(at(from), at(to)), count, reason);
  }

  private Losses losses(List<Group> groups, TimeRange range) throws IOException {
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).open()) {
      return reader.losses(groups, range);
    }
  }

  private Losses losses() throws IOException {
    return losses(BOTH, TimeRange.ALL);
  }

  @Test
  void anArchiveWithoutALedgerHasNone() throws IOException {
    CommandFixture.mixed(directory);
    Files.createDirectories(root.resolve("Kblake"));
    assertThat(losses()).isEqualTo(Losses.NONE);
    WrittenLedger.write(root, new Group("Kblake", "Recorder"), List.of(lost(RF, 1, 2, 3, 1)));
    WrittenLedger.write(root, new Group("RF", "Record"), List.of(lost(RF, 1, 2, 3, 1)));
    assertThat(losses()).isEqualTo(Losses.NONE);
  }

  @Test
  void spansAreWholeAndThoseThatMeetTheRange() throws IOException {
    WrittenLedger.write(
        root,
        WrittenLedger.LEDGER,
        List.of(
            lost(VA, 50, 150, 7, 1),
            lost(RF, 90, 100, -1, 4),
            lost(RF, 80, 99.999999999, 5, 1),
            lost(RF, 199.999999999, 300, 5, 2),
            lost(RF, 200, 300, 5, 1),
            new Statement(
                RF.toString(), at(90_000), WrittenLedger.numbers(at(150), at(150), 1, 5))));
    WrittenLedger.write(root, OTHER, List.of(lost(RF, 90, 100, -1, 4)));
    TimeRange range = new TimeRange(at(100), at(200));
    LossySpan atBegin = span(RF, 90, 100, LossySpan.UNKNOWN, "circuit down");
    LossySpan statedLate = span(RF, 150, 150, 1, "canary jumped");
    LossySpan atEnd = span(RF, 199.999999999, 300, 5, "no writable disk");
    LossySpan ofVacuum = span(VA, 50, 150, 7, "ring full");

    Losses all = losses(BOTH, range);

    assertThat(all.hasLedger()).isTrue();
    assertThat(all.notes()).isEmpty();
    assertThat(all.spans()).containsExactly(atBegin, atBegin, statedLate, atEnd, ofVacuum);
    assertThat(all.summary())
        .isEqualTo(
            "possibly lossy: 5 spans of RF/AnalogData, VA/CCG, at least 13 events,"
                + " mostly circuit down");
    assertThat(losses(List.of(VA), range).spans()).containsExactly(ofVacuum);
    assertThat(losses(List.of(VA), range).summary())
        .isEqualTo("possibly lossy: 1 span of VA/CCG, at least 7 events, ring full");
    Losses none = losses(List.of(new Group("BM", "DCCT")), range);
    assertThat(none).isEqualTo(new Losses(true, List.of(), List.of()));
    assertThat(none.summary()).isNull();
  }

  /** Recorders of other versions may have other reasons. */
  @Test
  void eachReasonHasAText() throws IOException {
    List<Statement> statements = new ArrayList<>();
    for (double reason : new double[] {1, 2, 3, 4, 5, 6, 7, 8, 0, -3}) {
      double second = 10 + 10 * statements.size();
      statements.add(lost(RF, second, second + 1, 0, reason));
    }
    WrittenLedger.write(root, WrittenLedger.LEDGER, statements);
    assertThat(losses().spans())
        .extracting(LossySpan::reason)
        .containsExactly(
            "ring full",
            "no writable disk",
            "recorder late",
            "circuit down",
            "canary jumped",
            "recorder crashed",
            "recorder stopped",
            "reason 8",
            "reason 0",
            "reason -3");
    assertThat(losses().summary())
        .isEqualTo("possibly lossy: 10 spans of RF/AnalogData, mostly ring full");
  }

  @Test
  void elementsOfALaterVersionAreLeftOut() throws IOException {
    double[] numbers = Arrays.copyOf(WrittenLedger.numbers(at(10), at(20), 3, 1), 7);
    numbers[6] = Double.NaN;
    Statement later = new Statement(RF.toString(), at(30), numbers);
    WrittenLedger.write(root, WrittenLedger.LEDGER, List.of(later));
    assertThat(losses().notes()).isEmpty();
    assertThat(losses().spans()).containsExactly(span(RF, 10, 20, 3, "ring full"));
  }

  @Test
  void numbersThatMakeNoSenseAreCounted() throws IOException {
    double[] good = WrittenLedger.numbers(at(10), at(20), 3, 1);
    List<double[]> wrong = new ArrayList<>();
    for (int i = 0; i < good.length; i++) {
      for (double number :
          new double[] {
            Double.NaN, 0.5, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1e17
          }) {
        double[] changed = good.clone();
        changed[i] = number;
        wrong.add(changed);
      }
    }
    for (double nanos : new double[] {-1, 1e9}) {
      wrong.add(new double[] {good[0], nanos, good[2], 0, 3, 1});
      wrong.add(new double[] {good[0], 0, good[2], nanos, 3, 1});
    }
    wrong.add(WrittenLedger.numbers(at(20), at(10), 3, 1));
    wrong.add(WrittenLedger.numbers(at(10), at(20), -2, 1));
    wrong.add(new double[] {1e10, 0, 2e10, 0, 3, 1});
    wrong.add(new double[] {good[0], 0, good[2], 0, 3});
    List<Statement> statements = new ArrayList<>();
    for (double[] numbers : wrong) {
      statements.add(new Statement(RF.toString(), at(30 + statements.size()), numbers));
    }
    // A connection is no statement, and this other channel is of no group.
    statements.add(new Statement(RF.toString(), at(1000)));
    statements.add(new Statement("BEAM", at(1001), good));
    WrittenLedger.write(root, WrittenLedger.LEDGER, statements);
    Losses losses = losses();
    assertThat(losses.spans()).isEmpty();
    assertThat(losses.notes())
        .containsExactly(wrong.size() + " statements of losses cannot be read");
  }

  /** Also of columns. */
  @Test
  void randomSpansAreThoseOfTheLedgers() throws Exception {
    Seeds.each("losses", Seeds.cases(3, 10), this::compareRandom);
  }

  private void compareRandom(long seed) throws Exception {
    Random random = new Random(seed);
    root = directory.resolve("archive" + seed);
    List<LossySpan> stated = new ArrayList<>();
    for (Group ledger : List.of(WrittenLedger.LEDGER, OTHER)) {
      List<Statement> statements = new ArrayList<>();
      for (int i = 1 + random.nextInt(300); i > 0; i--) {
        Group group = random.nextInt(3) == 0 ? VA : RF;
        long from = at(random.nextInt(1000)) + random.nextInt(3);
        long to = from + random.nextInt(100) * SECOND;
        int count = random.nextInt(5) - 1;
        long time = to + (1L + random.nextInt(100_000)) * SECOND / 10;
        double[] numbers = WrittenLedger.numbers(from, to, (double) count, 1);
        statements.add(new Statement(group.toString(), time, numbers));
        stated.add(new LossySpan(group, new TimeRange(from, to), count, "ring full"));
      }
      WrittenLedger.write(root, ledger, statements);
    }
    Path store = directory.resolve("store" + seed);
    TestStores.backfill(Archive.open(root, ArchiveSettings.defaults()), store);
    try (ArchiveReader raw = ArchiveReader.builder().archive(root).open();
        ArchiveReader columns = ArchiveReader.builder().archive(root).store(store).open()) {
      for (int i = 0; i < 30; i++) {
        long from = at(random.nextInt(1200)) + random.nextInt(3);
        TimeRange range = new TimeRange(from, from + random.nextInt(200) * SECOND);
        List<Group> groups = random.nextBoolean() ? BOTH : List.of(VA);
        List<LossySpan> expected =
            stated.stream()
                .filter(span -> groups.contains(span.group()))
                .filter(span -> span.range().fromNanos() < range.toNanos())
                .filter(span -> span.range().toNanos() >= range.fromNanos())
                .sorted(ORDER)
                .toList();
        for (ArchiveReader reader : List.of(raw, columns)) {
          Losses found = reader.losses(groups, range);
          assertThat(found.notes()).isEmpty();
          assertThat(found.spans()).containsExactlyInAnyOrderElementsOf(expected);
          assertThat(found.spans()).isSortedAccordingTo(ORDER);
        }
      }
    }
  }

  /** The memory of an answer is bounded. */
  @Test
  void neighboursOfTooManySpansAreJoined() throws IOException {
    List<Statement> statements = new ArrayList<>();
    Random random = new Random(5);
    long[] events = {0, 0};
    for (int i = 0; i < 25_000; i++) {
      Group group = i % 2 == 0 ? RF : VA;
      // Only RF has a span of which nothing is known.
      int count = i == 20_000 ? -1 : random.nextInt(10);
      events[i % 2] += Math.max(0, count);
      double from = 10 * i + random.nextInt(5);
      statements.add(lost(group, from, from + 2, (double) count, i < 20_000 ? 1 : 2));
    }
    WrittenLedger.write(root, WrittenLedger.LEDGER, statements);
    Losses losses = losses();
    assertThat(losses.notes())
        .containsExactly("there are more than 10000 lossy spans: neighbours are joined");
    assertThat(losses.spans()).hasSizeBetween(5_000, 10_000).isSortedAccordingTo(ORDER);
    long found = 0;
    int unknown = 0;
    for (LossySpan span : losses.spans()) {
      if (span.group().equals(VA)) {
        found += span.count();
      }
      unknown += span.isCounted() ? 0 : 1;
    }
    assertThat(found).isEqualTo(events[1]);
    assertThat(unknown).isEqualTo(1);
    assertThat(losses.spans())
        .extracting(LossySpan::reason)
        .contains("ring full", "no writable disk");
    for (int i = 0; i < statements.size(); i += 1000) {
      Group group = i % 2 == 0 ? RF : VA;
      long from = statements.get(i).nanos() - 3 * SECOND;
      boolean isCovered =
          losses.spans().stream()
              .filter(each -> each.group().equals(group))
              .map(LossySpan::range)
              .anyMatch(each -> each.fromNanos() <= from && from + 2 * SECOND <= each.toNanos());
      assertThat(isCovered).as("%d", i).isTrue();
    }
  }

  /** What a ledger does not tell is no error of an answer. */
  @Test
  void aLedgerThatCannotBeReadIsANote() throws IOException {
    List<Statement> statements = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      statements.add(lost(RF, 10 * i, 10 * i + 1, 1, 1));
    }
    WrittenLedger.write(root, WrittenLedger.LEDGER, statements);
    Path log = CommandFixture.find(root, "Record_20160516000001.log2");
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.seek(file.length() / 2);
      file.write(new byte[3000]);
    }
    Losses damaged = losses();
    assertThat(damaged.spans()).hasSizeBetween(500, 999);
    assertThat(damaged.notes().get(0))
        .startsWith("the ledger of losses is incomplete: ")
        .contains("group=Kblake/Record");

    Files.delete(log);
    Losses missing = losses();
    assertThat(missing.hasLedger()).isTrue();
    assertThat(missing.spans()).isEmpty();
    assertThat(missing.notes()).hasSize(1);
    assertThat(missing.notes().get(0))
        .startsWith("the ledger of losses is incomplete: ")
        .contains("Kblake/Record");
  }

  /** Its volume is not mounted. */
  @Test
  void aLedgerThatIsAwayIsANote() throws IOException {
    TestStores.sample("mixed", root);
    Files.writeString(root.resolve("SYS/KEKBLog.list"), "VA CCG\nRF AnalogData\nKblake Record\n");
    assertThat(losses()).isEqualTo(Losses.NONE);
    Files.createDirectories(root.resolve("Kblake"));
    assertThat(losses().notes()).hasSize(1);
    assertThat(losses().notes().get(0))
        .startsWith("the ledger of losses is incomplete: ")
        .contains("group is away");
    Files.delete(root.resolve("Kblake"));
    Files.createSymbolicLink(root.resolve("Kblake"), root.resolve("nowhere"));
    assertThat(losses().hasLedger()).isTrue();
    assertThat(losses().notes()).hasSize(1);
  }
}
