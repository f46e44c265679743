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

/**
 * What of a group was shipped, as a file that is replaced whole. All of the log before the position
 * was acknowledged by the receiver, or is in the file of refused lines.
 *
 * <pre>
 *   kblake-ship 1
 *   receiver influxdb http://host:8086 database kblake
 *   channels VA:*
 *   from 1716130800000000000
 *   position 20240520000000_123456
 *   events 70000
 *   refused 0
 *   rank NAME &lt;tab> 1716130801000000000 0
 *   end
 * </pre>
 *
 * @param position the place of the next event; null if none was shipped
 * @param events the number of events before the position, strays and refused ones included
 * @param refusedBytes the length of the file of refused lines
 * @param ranks the texts of {@code EventRanks} by channel
 */
public record ShipState(
    ShipOrder order,
    @Nullable LogPosition position,
    long events,
    long refusedBytes,
    Map<String, String> ranks) {

  private static final String FIRST = "kblake-ship 1";
  private static final int HEAD_LINES = 7;

  /** Returns the state before the first event is shipped. */
  public static ShipState begin(ShipOrder order) {
    return new ShipState(order, null, 0, 0, Map.of());
  }

  /**
   * Reads a file; null if there is none.
   *
   * @throws IOException if it is not whole, or of a later version
   */
  static @Nullable ShipState read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    if (lines.size() <= HEAD_LINES
        || !lines.get(0).equals(FIRST)
        || !lines.get(lines.size() - 1).equals("end")) {
      throw new IOException("not a state of kblake ship, or of another version: " + file);
    }
    try {
      Map<String, String> ranks = new TreeMap<>();
      for (String line : lines.subList(HEAD_LINES, lines.size() - 1)) {
        int tab = line.lastIndexOf('\t');
        String name = after(line.substring(0, tab), "rank ");
        ranks.put(name.replace("%0A", "\n").replace("%25", "%"), line.substring(tab + 1));
      }
      return new ShipState(
          new ShipOrder(
              after(lines.get(1), "receiver "),
              after(lines.get(2), "channels "),
              Long.parseLong(after(lines.get(3), "from "))),
          position(after(lines.get(4), "position ")),
          Long.parseLong(after(lines.get(5), "events ")),
          Long.parseLong(after(lines.get(6), "refused ")),
          ranks);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException("damaged state of kblake ship: " + file, e);
    }
  }

  private static @Nullable LogPosition position(String text) {
    LogPosition position = LogPosition.parse(text);
    if (position == null && !text.equals("none")) {
      throw new IllegalArgumentException(text);
    }
    return position;
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
    text.append("\nreceiver ").append(order.receiver());
    text.append("\nchannels ").append(order.channels());
    text.append("\nfrom ").append(order.fromNanos());
    text.append("\nposition ").append(position == null ? "none" : position);
    text.append("\nevents ").append(events);
    text.append("\nrefused ").append(refusedBytes);
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
