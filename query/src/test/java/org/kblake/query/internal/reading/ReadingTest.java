package org.kblake.query.internal.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.at;
import static org.kblake.query.internal.fixture.SmallArchive.range;
import static org.kblake.query.internal.fixture.SmallArchive.targets;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.ReadPlan;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.fixture.PlanText;
import org.kblake.query.internal.fixture.SmallArchive;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.source.ChunkReaders;
import org.kblake.query.internal.source.ReadAheadLimits;
import org.kblake.query.internal.source.RowOrder;
import org.kblake.query.internal.source.ScanThreads;
import org.kblake.query.internal.source.WantedEvents;
import org.kblake.query.question.ReadListener;
import org.kblake.query.question.Source;

/**
 * Readings of one pair of four hours: columns of the second hour, and raw logs around them. Each
 * hour has one event, a minute after its begin, whose value is that minute.
 */
final class ReadingTest {

  private static final TimeRange ALL = range(-60, 300);
  private static final WantedEvents OTHER = WantedEvents.of(range(100, 150));

  @TempDir private Path directory;

  private SmallArchive archive = new SmallArchive(Path.of("unset"));

  @BeforeEach
  void make() throws Exception {
    archive = new SmallArchive(directory).pair(0, 4).backfill(range(75, 76));
  }

  private Reading reading() throws IOException {
    Planner planner = SmallArchive.planner(archive.catalog());
    ScanThreads threads = new ScanThreads(new ReadAheadLimits(2, 0, 1, 1 << 20));
    return new Readings(planner, new ChunkReaders(), threads, 3, ReadListener.NONE)
        .of(
            planner.plan(GROUP, SmallArchive.scope(ALL, Source.AUTO), ALL, at(10_000)),
            targets("A"));
  }

  /** Returns the values of the events. */
  private static List<Double> read(Reading reading) throws IOException {
    List<Double> values = new ArrayList<>();
    try (GroupSource rows = reading.withoutReadAhead().forward(RowOrder.LOG)) {
      while (rows.next()) {
        for (int row = rows.from(); row < rows.to(); row++) {
          values.add(rows.columns().asDouble(row));
        }
      }
    }
    return values;
  }

  private static List<String> text(Reading reading) throws IOException {
    return PlanText.of(reading.ranges().stream().map(PlannedRange::readRange).toList());
  }

  @Test
  void readsTheRangesInLogOrder() throws Exception {
    Reading all = reading();
    assertThat(text(all)).containsExactly("raw 0", "stored 60", "raw 120 180");
    assertThat(all.bytes()).isEqualTo(archive.log(0).toFile().length());
    assertThat(read(all)).containsExactly(1.0, 61.0, 121.0, 181.0);
    assertThat(all.bytesRead()).isEqualTo(all.bytes());
  }

  @Test
  void otherRangesAreReadForTheSameReport() throws Exception {
    Reading all = reading();
    Reading last = all.of(all.ranges().subList(2, 3));
    assertThat(read(last)).containsExactly(121.0, 181.0);
    assertThat(last.report()).isSameAs(all.report());
    assertThat(all.bytesRead()).isEqualTo(last.bytes()).isLessThan(all.bytes());
  }

  @Test
  void otherEventsAreReadOfTheSameRanges() throws Exception {
    Reading all = reading();
    Reading some = all.with(OTHER);
    assertThat(read(some)).containsExactly(121.0);
    assertThat(some.ranges()).isEqualTo(all.ranges());
    assertThat(read(all)).hasSize(4);
  }

  /** Events that are only counted must not be in the coverage of the answer. */
  @Test
  void otherReportReceivesWhatIsRead() throws Exception {
    Reading all = reading();
    CoverageBuilder other = all.emptyReport();
    Reading counted = all.reportTo(other);
    assertThat(read(counted)).hasSize(4);
    assertThat(other.bytesRead()).isEqualTo(all.bytes());
    assertThat(counted.bytesRead()).isEqualTo(all.bytes());
    assertThat(all.bytesRead()).isZero();
    assertThat(other.report().range()).isEqualTo(ALL);
  }

  /** A copy has all settings of the reading except the one that it changes. */
  @Test
  void copiesKeepTheOtherSettings() throws Exception {
    Reading all = reading();
    CoverageBuilder report = all.emptyReport();
    Reading changed = all.of(all.ranges().subList(1, 2)).with(OTHER).reportTo(report);
    for (Reading copy :
        List.of(
            changed.withoutReadAhead(),
            changed.of(changed.ranges()),
            changed.with(OTHER),
            changed.reportTo(report))) {
      assertThat(text(copy)).containsExactly("stored 60");
      assertThat(copy.wanted()).isEqualTo(OTHER);
      assertThat(copy.report()).isSameAs(report);
      assertThat(copy.channels()).isEqualTo(all.channels());
      assertThat(copy.shared().groups()).isEqualTo(3);
    }
    assertThat(changed.shared()).isEqualTo(all.shared());
    assertThat(changed.withoutReadAhead().shared().threads()).isNull();
    assertThat(all.shared().threads()).isNotNull();
    assertThat(all.wanted()).isEqualTo(WantedEvents.of(ALL));
  }

  @Test
  void eachCopyMeasuresItsOwnTimes() throws Exception {
    Reading all = reading();
    assertThat(read(all.with(OTHER))).hasSize(1);
    assertThat(all.times()).isNotSameAs(all.with(OTHER).times());
    assertThat(all.times().spent()).isEqualTo(ReadPlan.Spent.NOTHING);
  }
}
