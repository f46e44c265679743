package org.kblake.hbase.restore;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.hbase.layout.CorruptRowException;
import org.kblake.hbase.layout.EventKey;
import org.kblake.hbase.layout.EventValue;

/** Writes the events of a pair and its milestones. The caller closes it. */
final class PairWriter implements Closeable {

  private static final byte[] REPLACEMENT = {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD};

  /** A byte that no UTF-8 has. It is read as U+FFFD. */
  private static final byte MALFORMED = (byte) 0xFF;

  private final LogWriter log;
  private final RecordTable records;
  private final RestoredMilestones milestones;
  private int segment = -1;
  private long segmentOffset = -1;

  PairWriter(Path root, RestoredPair pair) throws IOException {
    records = pair.records();
    milestones = pair.milestones();
    log = LogWriter.create(root, pair.group(), pair.stamp(), ByteOrder.BIG_ENDIAN, records);
  }

  /** Writes an event. Events come in log order. */
  void write(EventKey key, EventValue value, byte[] row) throws IOException {
    if (key.offset() != segmentOffset) {
      endSegment();
      segment++;
      segmentOffset = key.offset();
      log.milestone(milestones.beforeNanos()[segment]);
    }
    int ordinal = records.ordinalOfName(key.channel().name());
    if (value.state() != EventState.VALUE) {
      log.connection(
          ordinal,
          key.timeNanos(),
          value.state() == EventState.CONNECTED,
          value.severity(),
          value.status());
    } else if (value.type() == ValueType.STRING) {
      writeTexts(ordinal, key, value, row);
    } else {
      log.numbers(
          ordinal,
          key.timeNanos(),
          value.severity(),
          value.status(),
          value.bits(),
          0,
          value.bits().length);
    }
  }

  private void writeTexts(int ordinal, EventKey key, EventValue value, byte[] row)
      throws IOException {
    int[] starts = new int[value.texts().length + 1];
    byte[] all = new byte[value.texts().length * ValueType.STRING.bytes()];
    for (int i = 0; i < value.texts().length; i++) {
      byte[] text = value.texts()[i];
      byte[] fitting = text.length > ValueType.STRING.bytes() ? withoutReplacements(text) : text;
      if (fitting.length > ValueType.STRING.bytes()) {
        throw new CorruptRowException("a string is too long", row);
      }
      System.arraycopy(fitting, 0, all, starts[i], fitting.length);
      starts[i + 1] = starts[i] + fitting.length;
    }
    log.texts(
        ordinal,
        key.timeNanos(),
        value.severity(),
        value.status(),
        all,
        starts,
        0,
        value.texts().length);
  }

  /**
   * Returns a text with a malformed byte for each U+FFFD, as which it is read. A text is longer
   * than a string element only if malformed bytes were replaced.
   */
  private static byte[] withoutReplacements(byte[] text) {
    byte[] shorter = new byte[text.length];
    int length = 0;
    for (int i = 0; i < text.length; i++) {
      if (i + 2 < text.length
          && text[i] == REPLACEMENT[0]
          && text[i + 1] == REPLACEMENT[1]
          && text[i + 2] == REPLACEMENT[2]) {
        shorter[length++] = MALFORMED;
        i += 2;
      } else {
        shorter[length++] = text[i];
      }
    }
    return Arrays.copyOf(shorter, length);
  }

  /** Writes the milestone behind a segment, if there is room for it. */
  private void endSegment() throws IOException {
    if (segment >= 0 && milestones.hasAfter(segment) && log.freeBytes() >= log.milestoneBytes()) {
      log.milestone(milestones.afterNanos()[segment]);
    }
  }

  /** Ends the last segment. */
  void finish() throws IOException {
    endSegment();
    segment = -1;
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
