package org.kblake.cli.command.status;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;

/**
 * The logs of all groups in blocks, which stand for the blocks of a store. They are numbered in the
 * order of the times at which they were begun.
 */
final class ModelBlocks {

  private static final long MIN_BYTES = 4 << 20;
  private static final int MAX_BLOCKS = 20_000;

  private final List<ModelBlock> blocks = new ArrayList<>();
  private final Map<Group, NavigableMap<LogPosition, Integer>> byGroup = new HashMap<>();

  /**
   * The log file of a pair.
   *
   * @param mode the mode of its group
   * @param storedShare bytes of columns for each byte of the log
   * @param endMillis the time of its last byte, milliseconds since 1970 UTC
   */
  record Log(
      Group group,
      Mode mode,
      double storedShare,
      String stamp,
      long bytes,
      long beginMillis,
      long endMillis) {

    /** Returns the time at which the log had a size, as if it grew evenly. */
    long millisAt(long offset) {
      return beginMillis + (long) ((double) offset / bytes * (endMillis - beginMillis));
    }
  }

  /** A block of a log. */
  record ModelBlock(Log log, long fromOffset, long toOffset) {

    long beginMillis() {
      return log.millisAt(fromOffset);
    }

    double storedBytes() {
      return (toOffset - fromOffset) * log.storedShare;
    }
  }

  /** The bytes of a block that an access read. */
  record ReadBytes(int block, long fromOffset, long toOffset) {

    long bytes() {
      return toOffset - fromOffset;
    }
  }

  ModelBlocks(List<Log> logs) {
    long all = logs.stream().mapToLong(Log::bytes).sum();
    long blockBytes = Math.max(MIN_BYTES, all / MAX_BLOCKS);
    for (Log log : logs) {
      for (long from = 0; from < log.bytes; from += blockBytes) {
        blocks.add(new ModelBlock(log, from, Math.min(log.bytes, from + blockBytes)));
      }
    }
    blocks.sort(Comparator.comparingLong(ModelBlock::beginMillis));
    for (int i = 0; i < blocks.size(); i++) {
      ModelBlock block = blocks.get(i);
      byGroup
          .computeIfAbsent(block.log.group, added -> new TreeMap<>())
          .put(new LogPosition(block.log.stamp, block.fromOffset), i);
    }
  }

  List<ModelBlock> all() {
    return blocks;
  }

  /** Returns the bytes of columns of all logs. */
  double storedBytes() {
    return blocks.stream().mapToDouble(ModelBlock::storedBytes).sum();
  }

  /** Returns the bytes that an access read. The list is empty if the logs are not known. */
  List<ReadBytes> read(Access access) {
    NavigableMap<LogPosition, Integer> known = byGroup.get(access.group());
    if (known == null || access.from().compareTo(access.to()) >= 0) {
      return List.of();
    }
    LogPosition floor = known.floorKey(access.from());
    List<ReadBytes> read = new ArrayList<>();
    for (int number :
        known.subMap(floor == null ? access.from() : floor, true, access.to(), false).values()) {
      ModelBlock block = blocks.get(number);
      String stamp = block.log.stamp;
      long from = block.fromOffset;
      long to = block.toOffset;
      if (stamp.equals(access.from().stamp())) {
        from = Math.max(from, access.from().offset());
      }
      if (stamp.equals(access.to().stamp())) {
        to = Math.min(to, access.to().offset());
      }
      if (stamp.compareTo(access.from().stamp()) >= 0 && from < to) {
        read.add(new ReadBytes(number, from, to));
      }
    }
    return read;
  }
}
