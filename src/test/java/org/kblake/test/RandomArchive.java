package org.kblake.test;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.kblake.core.log.LogLayout;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * Writes small archives with everything in them that a log may hold: all types, waveforms, both
 * byte orders, disorder, strays, a clock set back, milestones that the index does not know.
 */
final class RandomArchive {

  static final Group GROUP = Group.parse("VA/CCG");
  static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long BEGIN_NANOS = 1_463_324_400L * SECOND_NANOS;
  private static final byte[][] TEXTS = {
    {}, utf8("Beam On"), utf8("磁石"), {(byte) 0xFF, 'a', (byte) 0xC3}, new byte[40]
  };

  static {
    Arrays.fill(TEXTS[4], (byte) 'x');
  }

  private final Random random;
  private long nanos = BEGIN_NANOS;

  private RandomArchive(long seed) {
    random = new Random(seed);
  }

  /**
   * @return the index files of the pairs, in log order
   */
  static List<Path> write(Path root, long seed, LogLayout layout) throws IOException {
    return new RandomArchive(seed).write(root, layout);
  }

  private List<Path> write(Path root, LogLayout layout) throws IOException {
    List<Path> pairs = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      PairName name = PairName.at(GROUP.name(), nanos, ZONE);
      ByteOrder order = random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
      try (LogWriter writer =
          LogWriter.create(root, GROUP, name.stamp(), layout, order, records())) {
        writePair(writer);
      }
      pairs.add(root.resolve(GROUP.system()).resolve(name.indexFile()));
      nanos += SECOND_NANOS;
    }
    Path list = root.resolve("SYS/KEKBLog.list");
    Files.createDirectories(list.getParent());
    Files.writeString(list, "VA CCG\n");
    return pairs;
  }

  private RecordTable records() {
    List<RecordEntry> entries = new ArrayList<>();
    int count = 1 + random.nextInt(12);
    int id = random.nextInt(3);
    int step = random.nextInt(8) == 0 ? 100_000 : 3;
    for (int i = 0; i < count; i++) {
      ValueType type = ValueType.of(random.nextInt(ValueType.count()));
      int elements = random.nextInt(3) == 0 ? 2 + random.nextInt(20) : 1;
      entries.add(new RecordEntry(id, "VA_CCG:" + id + ":PRES", type, elements));
      id += 1 + random.nextInt(step);
    }
    return new RecordTable(entries);
  }

  private void writePair(LogWriter writer) throws IOException {
    int segments = 1 + random.nextInt(6);
    // Plans know a milestone that the index misses by its neighbours' times: no clock is set back
    // around one. docs/format-notes.md says so.
    boolean setsBack = random.nextBoolean();
    for (int segment = 0; segment < segments; segment++) {
      if (setsBack && random.nextInt(6) == 0) {
        nanos -= random.nextInt(3000) * SECOND_NANOS;
      }
      if (!setsBack && random.nextInt(4) == 0) {
        writer.milestoneOutsideIndex(nanos);
      } else {
        writer.milestone(nanos);
      }
      int events = random.nextInt(4) == 0 ? 0 : random.nextInt(60);
      for (int i = 0; i < events; i++) {
        nanos += random.nextInt(20) * SECOND_NANOS / 2 + random.nextInt(1000);
        writeEvent(writer);
      }
      nanos += random.nextInt(600) * SECOND_NANOS;
    }
  }

  private void writeEvent(LogWriter writer) throws IOException {
    int ordinal = random.nextInt(writer.records().size());
    RecordEntry entry = writer.records().entry(ordinal);
    long time =
        switch (random.nextInt(40)) {
          case 0 -> 631_152_000L * SECOND_NANOS + random.nextInt(1000);
          case 1 -> nanos + 86_400 * SECOND_NANOS;
          case 2, 3, 4 -> nanos - random.nextInt(900) * SECOND_NANOS;
          default -> nanos;
        };
    int severity = random.nextInt(4);
    int status = random.nextInt(22);
    if (random.nextInt(10) == 0) {
      writer.connection(ordinal, time, random.nextBoolean(), severity, status);
      return;
    }
    int elements = entry.waveform() ? 1 + random.nextInt(entry.elementCount()) : 1;
    if (entry.type() == ValueType.STRING) {
      byte[] text = new byte[0];
      int[] starts = new int[elements + 1];
      for (int i = 0; i < elements; i++) {
        byte[] next = TEXTS[random.nextInt(TEXTS.length)];
        text = Arrays.copyOf(text, text.length + next.length);
        System.arraycopy(next, 0, text, starts[i], next.length);
        starts[i + 1] = text.length;
      }
      writer.texts(ordinal, time, severity, status, text, starts, 0, elements);
      return;
    }
    long[] bits = new long[elements];
    for (int i = 0; i < elements; i++) {
      bits[i] = random.nextInt(4) == 0 ? 0 : random.nextLong();
    }
    writer.numbers(ordinal, time, severity, status, bits, 0, elements);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
