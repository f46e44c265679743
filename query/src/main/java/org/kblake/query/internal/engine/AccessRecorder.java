package org.kblake.query.internal.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.internal.store.access.AccessRecords;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.catalog.TimedFileAccess;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.plan.StoredRange;

/**
 * Writes access records of answers into the store, for its writer. Adjacent ranges of one source
 * make one record. If a plan often alternates between columns and log, only the first records are
 * written.
 */
public final class AccessRecorder {

  private static final int MAX_RECORDS = 32;

  /** The time limit of writing records. A process on a busy machine may need a part of it. */
  private static final long LIMIT_MILLIS = 3_000;

  private final @Nullable AccessRecords records;

  /**
   * Opens files in a directory where all users may write, with a time limit, because opening a file
   * that another user created may never end.
   */
  private final TimedFileAccess files = new TimedFileAccess(LIMIT_MILLIS);

  /**
   * @param records the records of the store; null to write none
   */
  public AccessRecorder(@Nullable AccessRecords records) {
    this.records = records;
  }

  /** Adjacent ranges of one group and source. */
  private static final class JoinedRange {
    final Group group;
    final boolean fromColumns;
    final LogPosition from;
    LogPosition to;
    long bytes;

    JoinedRange(Group group, boolean fromColumns, LogPosition from) {
      this.group = group;
      this.fromColumns = fromColumns;
      this.from = from;
      this.to = from;
    }
  }

  /** A read of a whole answer. */
  public interface Read<A> {
    A answer() throws IOException;
  }

  /**
   * Reads an answer, and writes its access records.
   *
   * @param ranges returns the ranges of each group, in log order
   */
  public <A> A timed(Read<A> read, Function<A, List<ReadRange>> ranges) throws IOException {
    long beginNanos = System.nanoTime();
    A answer = read.answer();
    write(ranges.apply(answer), System.nanoTime() - beginNanos);
    return answer;
  }

  /**
   * Writes the access records of an answer.
   *
   * @param ranges the ranges of each group, in log order
   * @param nanos the duration of the read
   */
  public void write(List<ReadRange> ranges, long nanos) {
    AccessRecords wanted = records;
    if (wanted == null || ranges.isEmpty()) {
      return;
    }
    long now = System.currentTimeMillis();
    List<Access> accesses = new ArrayList<>();
    try {
      for (JoinedRange range : joined(ranges)) {
        accesses.add(
            new Access(
                now, range.group, range.from, range.to, range.fromColumns, range.bytes, nanos));
      }
    } catch (IOException e) {
      // The block was removed, so the writer needs no record of its read.
    }
    if (!wanted.write(accesses)) {
      writeAmongUsers(wanted, accesses);
    }
  }

  private void writeAmongUsers(AccessRecords wanted, List<Access> accesses) {
    try {
      boolean unused =
          files.call(
              wanted.directory(),
              () -> {
                wanted.writeAmongUsers(accesses);
                return true;
              });
    } catch (IOException e) {
      // A lost record only makes eviction less accurate.
    }
  }

  private static List<JoinedRange> joined(List<ReadRange> ranges) throws IOException {
    List<JoinedRange> joined = new ArrayList<>();
    JoinedRange range = null;
    for (ReadRange readRange : ranges) {
      boolean fromColumns = readRange instanceof StoredRange;
      PairSlot pair = readRange.pair();
      if (range == null || range.fromColumns != fromColumns || !range.group.equals(pair.group())) {
        if (joined.size() == MAX_RECORDS) {
          break;
        }
        range =
            new JoinedRange(
                pair.group(), fromColumns, new LogPosition(pair.stamp(), fromOffset(readRange)));
        joined.add(range);
      }
      range.to = new LogPosition(pair.stamp(), toOffset(readRange));
      range.bytes += toOffset(readRange) - fromOffset(readRange);
    }
    return joined;
  }

  private static long fromOffset(ReadRange readRange) throws IOException {
    if (readRange instanceof StoredRange stored) {
      return stored.block().segment(stored.fromSegment()).startOffset();
    }
    return ((RawRange) readRange).fromOffset();
  }

  private static long toOffset(ReadRange readRange) throws IOException {
    if (readRange instanceof StoredRange stored) {
      return stored.block().segment(stored.toSegment() - 1).endOffset();
    }
    return ((RawRange) readRange).toOffset();
  }
}
