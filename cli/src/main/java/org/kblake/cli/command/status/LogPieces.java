package org.kblake.cli.command.status;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.internal.store.block.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;

/**
 * The logs of all groups in pieces, which stand for the blocks of a store. They are numbered in the
 * order of the times at which they were begun.
 */
final class LogPieces {

  private static final long MIN_BYTES = 4 << 20;
  private static final int MAX_PIECES = 20_000;

  private final List<Piece> pieces = new ArrayList<>();
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

  /** A piece of a log. */
  record Piece(Log log, long fromOffset, long toOffset) {

    long beginMillis() {
      return log.millisAt(fromOffset);
    }

    double storedBytes() {
      return (toOffset - fromOffset) * log.storedShare;
    }
  }

  /** The bytes of a piece that an access read. */
  record Part(int piece, long fromOffset, long toOffset) {

    long bytes() {
      return toOffset - fromOffset;
    }
  }

  LogPieces(List<Log> logs) {
    long all = logs.stream().mapToLong(Log::bytes).sum();
    long pieceBytes = Math.max(MIN_BYTES, all / MAX_PIECES);
    for (Log log : logs) {
      for (long from = 0; from < log.bytes; from += pieceBytes) {
        pieces.add(new Piece(log, from, Math.min(log.bytes, from + pieceBytes)));
      }
    }
    pieces.sort(Comparator.comparingLong(Piece::beginMillis));
    for (int i = 0; i < pieces.size(); i++) {
      Piece piece = pieces.get(i);
      byGroup
          .computeIfAbsent(piece.log.group, added -> new TreeMap<>())
          .put(new LogPosition(piece.log.stamp, piece.fromOffset), i);
    }
  }

  List<Piece> all() {
    return pieces;
  }

  /** Returns the bytes of columns of all logs. */
  double storedBytes() {
    return pieces.stream().mapToDouble(Piece::storedBytes).sum();
  }

  /** Returns the parts that an access read. The list is empty if the logs are not known. */
  List<Part> parts(Access access) {
    NavigableMap<LogPosition, Integer> known = byGroup.get(access.group());
    if (known == null || access.from().compareTo(access.to()) >= 0) {
      return List.of();
    }
    LogPosition floor = known.floorKey(access.from());
    List<Part> parts = new ArrayList<>();
    for (int number :
        known.subMap(floor == null ? access.from() : floor, true, access.to(), false).values()) {
      Piece piece = pieces.get(number);
      String stamp = piece.log.stamp;
      long from = piece.fromOffset;
      long to = piece.toOffset;
      if (stamp.equals(access.from().stamp())) {
        from = Math.max(from, access.from().offset());
      }
      if (stamp.equals(access.to().stamp())) {
        to = Math.min(to, access.to().offset());
      }
      if (stamp.compareTo(access.from().stamp()) >= 0 && from < to) {
        parts.add(new Part(number, from, to));
      }
    }
    return parts;
  }
}
