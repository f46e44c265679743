package org.kblake.ship.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;

/**
 * What of a group was shipped, as a file that is replaced whole. All of the log before the position
 * was acknowledged by the receiver.
 *
 * <pre>
 *   kblake-ship 1
 *   receiver influxdb http://host:8086 database kblake
 *   from 1716130800000000000
 *   position 20240520000000_123456
 *   events 70000
 *   rank NAME &lt;tab> 0 1716130801000000000 0
 *   end
 * </pre>
 *
 * @param receiver where the events went
 * @param fromNanos the earliest time of events, nanoseconds since 1970 UTC
 * @param position the place of the next event; null if none was shipped
 * @param events the number of shipped events, refused ones included
 * @param ranks the texts of {@code EventRanks} by channel
 */
public record ShipState(
    String receiver,
    long fromNanos,
    @Nullable LogPosition position,
    long events,
    Map<String, String> ranks) {

  private static final String FIRST = "kblake-ship 1";

  /** Returns the state before the first event was shipped. */
  public ShipState begin() {
    return new ShipState(receiver, fromNanos, null, 0, Map.of());
  }

  /** Returns the file of a group in a directory of states. */
  public static Path file(Path directory, Group group) {
    return directory.resolve(group.system()).resolve(group.name() + ".state");
  }

  /**
   * Reads a file; null if there is none.
   *
   * @throws IOException if it is not whole, or of a later version
   */
  public static @Nullable ShipState read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    if (lines.size() < 6
        || !lines.get(0).equals(FIRST)
        || !lines.get(lines.size() - 1).equals("end")) {
      throw new IOException("not a state of kblake ship, or of another version: " + file);
    }
    try {
      Map<String, String> ranks = new TreeMap<>();
      for (String line : lines.subList(5, lines.size() - 1)) {
        int tab = line.lastIndexOf('\t');
        String name = after(line.substring(0, tab), "rank ");
        ranks.put(name.replace("%0A", "\n").replace("%25", "%"), line.substring(tab + 1));
      }
      return new ShipState(
          after(lines.get(1), "receiver "),
          Long.parseLong(after(lines.get(2), "from ")),
          LogPosition.parse(after(lines.get(3), "position ")),
          Long.parseLong(after(lines.get(4), "events ")),
          ranks);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException("damaged state of kblake ship: " + file, e);
    }
  }

  private static String after(String line, String key) {
    if (!line.startsWith(key)) {
      throw new IllegalArgumentException(line);
    }
    return line.substring(key.length());
  }

  /** Replaces a file. After a power cut it is the old or the new one. */
  public void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder(FIRST);
    text.append("\nreceiver ").append(receiver);
    text.append("\nfrom ").append(fromNanos);
    text.append("\nposition ").append(position == null ? "none" : position);
    text.append("\nevents ").append(events);
    ranks.forEach(
        (name, rank) -> {
          String line = name.replace("%", "%25").replace("\n", "%0A");
          text.append("\nrank ").append(line).append('\t').append(rank);
        });
    text.append("\nend\n");
    Path parent = file.toAbsolutePath().normalize().getParent();
    if (parent == null) {
      throw new IOException("no directory: " + file);
    }
    Files.createDirectories(parent);
    Path written = parent.resolve(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            written,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(text.toString());
      while (bytes.hasRemaining()) {
        var unused = channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel directory = FileChannel.open(parent, StandardOpenOption.READ)) {
      directory.force(true);
    }
  }
}
