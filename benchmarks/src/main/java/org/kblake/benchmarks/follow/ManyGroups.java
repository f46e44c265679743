package org.kblake.benchmarks.follow;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/** An archive of many small groups: each has a pair that is growing, with two whole segments. */
final class ManyGroups {

  private static final int GROUPS_A_SYSTEM = 100;
  private static final int EVENTS = 4;

  private ManyGroups() {}

  /**
   * Writes an archive.
   *
   * @param root the root of the archive, which need not exist
   * @param records the records of each group
   */
  static void write(Path root, int groups, int records) throws IOException {
    long now = TimeUnit.SECONDS.toNanos(Instant.now().getEpochSecond());
    long hour = TimeUnit.HOURS.toNanos(1);
    for (int i = 0; i < groups; i++) {
      String name = "G" + i;
      List<RecordEntry> entries = new ArrayList<>();
      for (int record = 0; record < records; record++) {
        entries.add(new RecordEntry(record, name + ":R" + record, ValueType.DOUBLE, 1));
      }
      Group group = new Group("S" + i / GROUPS_A_SYSTEM, name);
      String stamp = PairName.at(name, now - 2 * hour, ZoneId.of("Asia/Tokyo")).stamp();
      try (LogWriter writer =
          LogWriter.create(root, group, stamp, ByteOrder.BIG_ENDIAN, new RecordTable(entries))) {
        for (long milestone = now - 2 * hour; milestone <= now; milestone += hour) {
          writer.milestone(milestone);
          for (int event = 1; event <= EVENTS; event++) {
            writer.number(
                event % records, milestone + event, 0, 0, Double.doubleToRawLongBits(event));
          }
        }
      }
    }
  }

  public static void main(String[] args) throws IOException {
    write(Path.of(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
  }
}
