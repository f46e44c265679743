package org.kblake.test.server.guard;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.IntStream;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.TestStores;

/** An archive with as many channels as a large site, and few events. */
final class ManyNames {

  static final int CHANNELS = 200_000;

  private static final long START_NANOS = 1_463_360_000_000_000_000L;

  private ManyNames() {}

  static void write(Path root) throws IOException {
    RecordTable records =
        new RecordTable(
            IntStream.range(0, CHANNELS)
                .mapToObj(i -> new RecordEntry(i, name(i), ValueType.DOUBLE, 1))
                .toList());
    try (LogWriter writer =
        LogWriter.create(
            root, new Group("VA", "CCG"), "20160516095000", ByteOrder.LITTLE_ENDIAN, records)) {
      writer.milestone(START_NANOS);
      writer.number(0, START_NANOS + 1, 0, 0, Double.doubleToRawLongBits(1));
    }
    TestStores.closePairs(root);
  }

  static String name(int number) {
    return String.format(Locale.ROOT, "VALCCG:D%02d:%06d:PRES", number % 16, number);
  }
}
