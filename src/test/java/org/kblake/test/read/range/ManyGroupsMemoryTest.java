package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.TestStores;

/** The memory of an answer with many channels of many groups, which are read at once. */
final class ManyGroupsMemoryTest {

  private static final int GROUPS = 48;
  private static final int CHANNELS = 40;
  private static final int EVENTS = 60_000;
  private static final long BEGIN_NANOS = 1_463_356_800_000_000_000L;
  private static final long STEP_NANOS = 1_000_000;

  @TempDir private Path directory;

  /**
   * Each group has 2 MB of events in one window if it takes a limit of its own, so all of them do
   * not fit the heap. If they share the limit, they do.
   */
  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 7 s of a processor")
  @Test
  void groupsThatAreReadAtOnceFitASmallHeap() throws Exception {
    Path archive = directory.resolve("archive");
    for (int group = 0; group < GROUPS; group++) {
      write(archive, new Group("G" + group, "Many"), group);
    }
    TestStores.closePairs(archive);
    Path store = directory.resolve("store");
    TestStores.backfill(Archive.open(archive, ArchiveSettings.defaults()), store);
    Path err = directory.resolve("err");
    Process process =
        KblakeProcess.start(
            List.of("-Xmx80m"),
            directory,
            err,
            "--archive=" + archive,
            "--store=" + store,
            "get",
            "--source=store",
            "--from=@" + BEGIN_NANOS / 1_000_000_000,
            "--to=@" + (BEGIN_NANOS + EVENTS * STEP_NANOS) / 1_000_000_000,
            "-f",
            "arrow",
            "*");
    assertThat(process.waitFor()).describedAs(Files.readString(err)).isZero();
  }

  /** Writes a pair in which the events of all channels alternate, with few segments. */
  private static void write(Path archive, Group group, int seed) throws Exception {
    PairName name = PairName.at(group.name(), BEGIN_NANOS, ArchiveSettings.defaults().zone());
    List<RecordEntry> records = new ArrayList<>();
    for (int i = 0; i < CHANNELS; i++) {
      records.add(new RecordEntry(i, group.system() + ":" + i, ValueType.DOUBLE, 1));
    }
    Random random = new Random(seed);
    try (LogWriter writer =
        LogWriter.create(
            archive,
            group,
            name.stamp(),
            LogLayout.installed().get(0),
            ByteOrder.LITTLE_ENDIAN,
            new RecordTable(records))) {
      for (int event = 0; event < EVENTS; event++) {
        long nanos = BEGIN_NANOS + event * STEP_NANOS;
        if (event % 1_000 == 0) {
          writer.milestone(nanos);
        }
        long bits = Double.doubleToRawLongBits(random.nextGaussian());
        writer.number(event % CHANNELS, nanos, 0, 0, bits);
      }
    }
  }
}
