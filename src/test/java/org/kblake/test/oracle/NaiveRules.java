package org.kblake.test.oracle;

import static org.kblake.test.oracle.NaiveIndex.BAD;
import static org.kblake.test.oracle.NaiveIndex.ELEMENT_BYTES;
import static org.kblake.test.oracle.NaiveIndex.isZero;
import static org.kblake.test.oracle.NaiveIndex.time;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The rules of the reference layout for a log. Used by {@link NaiveReader}. */
final class NaiveRules {

  private final ByteBuffer log;
  private final NaiveIndex index;

  NaiveRules(ByteBuffer log, NaiveIndex index) {
    this.log = log;
    this.index = index;
  }

  boolean hasMilestoneHeader(int at) {
    return log.getInt(at + 4) == -1 && isMilestoneLength(log.getInt(at) & 0xFFFFFFFFL);
  }

  boolean isMilestoneLength(long length) {
    long least = 16 + 28L * index.entries.size();
    long most = least;
    for (NaiveIndex.Entry entry : index.entries) {
      most += (long) entry.count() * ELEMENT_BYTES[entry.type()];
    }
    return length >= least && length <= most && length <= Integer.MAX_VALUE;
  }

  boolean isWholeMilestone(int at, int end) {
    if (!hasMilestoneHeader(at) || log.getInt(at) > end - at || time(log, at + 8) == BAD) {
      return false;
    }
    int limit = at + log.getInt(at);
    int p = at + 16;
    for (NaiveIndex.Entry entry : index.entries) {
      if (limit - p < 28
          || log.getInt(p) != entry.id()
          || log.get(p + 12) < 0
          || log.get(p + 12) > 2) {
        return false;
      }
      int bytes = log.getInt(p + 24);
      boolean none = bytes == 0 && isZero(log, p + 13, 11);
      boolean some =
          bytes > 0
              && bytes <= (long) entry.count() * ELEMENT_BYTES[entry.type()]
              && bytes % ELEMENT_BYTES[entry.type()] == 0
              && log.get(p + 13) >= 0
              && log.get(p + 13) <= 3
              && time(log, p + 16) != BAD;
      if (time(log, p + 4) == BAD || !none && !some || bytes > limit - p - 28) {
        return false;
      }
      p += 28 + bytes;
    }
    return p == limit;
  }

  boolean isUndamagedEvent(int at) {
    if (at + 20 > log.limit()) {
      return false;
    }
    NaiveIndex.Entry entry = index.byId.get(log.getInt(at + 4));
    long length = log.getInt(at) & 0xFFFFFFFFL;
    int state = log.get(at + 16);
    boolean lengthFits =
        entry != null
            && (state == 2
                ? isValueLength(entry, length)
                : (state == 0 || state == 1) && length == 20);
    int severity = log.get(at + 17);
    return lengthFits && severity >= 0 && severity <= 3 && time(log, at + 8) != BAD;
  }

  boolean isValueLength(NaiveIndex.Entry entry, long length) {
    int bytes = ELEMENT_BYTES[entry.type()];
    return length >= 20 + bytes
        && (length - 20) % bytes == 0
        && (length - 20) / bytes <= entry.count();
  }

  /** Returns the elements of a value: a Long of bits, or a String, for each. */
  List<Object> value(NaiveIndex.Entry entry, int at, int bytes) {
    List<Object> value = new ArrayList<>();
    for (int p = at; p < at + bytes; p += ELEMENT_BYTES[entry.type()]) {
      value.add(
          switch (entry.type()) {
            case 0 -> {
              byte[] characters = new byte[40];
              log.get(p, characters);
              yield text(characters);
            }
            case 1 -> (long) log.getShort(p);
            case 2 -> log.getInt(p) & 0xFFFFFFFFL;
            case 3 -> log.getShort(p) & 0xFFFFL;
            case 4 -> log.get(p) & 0xFFL;
            case 5 -> (long) log.getInt(p);
            case 6 -> log.getLong(p);
            default -> throw new AssertionError(entry.type());
          });
    }
    return value;
  }

  private static String text(byte[] element) {
    int length = 0;
    while (length < element.length && element[length] != 0) {
      length++;
    }
    return new String(element, 0, length, StandardCharsets.UTF_8);
  }
}
