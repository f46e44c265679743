import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * Writes the archive of benchmarks/eventbuilder: the channel TRIGGER counts once a millisecond, and
 * a channel SIZE:n has a waveform whose cell, with what is before it, has about n bytes.
 *
 * <p>Arguments: DIRECTORY EVENTS SIZE ...
 */
final class EventArchive {

  private static final String STAMP = "20260101000000";
  private static final long BEGIN = Instant.parse("2025-12-31T15:00:00Z").getEpochSecond();

  /** The bytes of a line but for the cell: time, event, complete, quotes. */
  private static final int OTHER_BYTES = 40;

  private EventArchive() {}

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    int events = Integer.parseInt(arguments[1]);
    Files.createDirectories(root.resolve("SYS"));
    Files.writeString(root.resolve("SYS/KEKBLog.list"), "BENCH TRIGGER\nBENCH FRAGMENT\n");
    RecordTable trigger =
        new RecordTable(List.of(new RecordEntry(0, "TRIGGER", ValueType.LONG, 1)));
    try (LogWriter writer = writer(root, "TRIGGER", trigger)) {
      writer.milestone(BEGIN * 1_000_000_000);
      for (int i = 0; i < events; i++) {
        writer.number(0, BEGIN * 1_000_000_000 + (1000 + i) * 1_000_000L, 0, 0, i + 1);
      }
    }
    List<RecordEntry> entries = new ArrayList<>();
    List<Integer> elements = new ArrayList<>();
    for (String size : List.of(arguments).subList(2, arguments.length)) {
      elements.add(Math.max(1, (Integer.parseInt(size) - OTHER_BYTES) / 2));
      entries.add(
          new RecordEntry(
              entries.size(), "SIZE:" + size, ValueType.SHORT, elements.get(entries.size())));
    }
    try (LogWriter writer = writer(root, "FRAGMENT", new RecordTable(entries))) {
      writer.milestone(BEGIN * 1_000_000_000);
      for (int i = 0; i < elements.size(); i++) {
        long[] bits = new long[elements.get(i)];
        Arrays.fill(bits, 7);
        writer.numbers(i, (BEGIN * 1000 + 500) * 1_000_000, 0, 0, bits, 0, bits.length);
      }
      writer.milestone((BEGIN + 1000) * 1_000_000_000);
    }
  }

  private static LogWriter writer(Path root, String group, RecordTable records) throws Exception {
    return LogWriter.create(
        root, new Group("BENCH", group), STAMP, ByteOrder.LITTLE_ENDIAN, records);
  }
}
