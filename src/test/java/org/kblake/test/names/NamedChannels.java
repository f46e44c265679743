package org.kblake.test.names;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/** Writes a pair of 200 s of channels of doubles and strings, whose names are given. */
final class NamedChannels {

  static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");

  /** The begin of the pair, seconds since 1970 UTC. */
  static final long BEGIN_SECONDS = 1_463_324_400L;

  private static final long SECOND = 1_000_000_000L;

  private NamedChannels() {}

  /** Returns a number or a text. */
  interface Values {
    Object at(String name, int second);
  }

  /**
   * Writes the pair. The caller closes it by {@code TestStores.closePairs}.
   *
   * @param channels the types of the channels, {@link ValueType#DOUBLE} or {@link ValueType#STRING}
   * @param seconds when each channel has an event, seconds from the begin
   */
  static void write(
      Path archive,
      Group group,
      Map<String, ValueType> channels,
      List<Integer> seconds,
      Values values)
      throws IOException {
    List<RecordEntry> records = new ArrayList<>();
    channels.forEach((name, type) -> records.add(new RecordEntry(records.size(), name, type, 1)));
    long begin = BEGIN_SECONDS * SECOND;
    try (LogWriter writer =
        LogWriter.create(
            archive,
            group,
            PairName.at(group.name(), begin, ZONE).stamp(),
            ByteOrder.BIG_ENDIAN,
            new RecordTable(records))) {
      writer.milestone(begin);
      for (int second : seconds) {
        for (RecordEntry each : records) {
          Object value = values.at(each.name(), second);
          long nanos = begin + second * SECOND;
          if (value instanceof String text) {
            writer.text(each.id(), nanos, 0, 0, text.getBytes(UTF_8));
          } else {
            long bits = Double.doubleToRawLongBits(((Number) value).doubleValue());
            writer.number(each.id(), nanos, 0, 0, bits);
          }
        }
      }
      writer.milestone(begin + 200 * SECOND);
      writer.flush();
    }
  }
}
