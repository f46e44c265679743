package org.kblake.record.importing;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.kblake.cli.error.RequestException;
import org.kblake.core.log.PairName;
import org.kblake.record.log.LogFiles;

/**
 * How far the imports of a group got, in a file: {@code kblake import 1}, and for each pair lines
 * {@code channel NAME} of its new channels, {@code pair STAMP} and at last {@code until NANOS
 * COUNT}. What follows the last whole line {@code until} was not written to its end, and does not
 * count. For one thread.
 */
final class ImportState {

  private static final String HEAD = "kblake import 1\n";
  private static final String UNTIL = "until ";
  private static final String PAIR = "pair ";
  private static final String CHANNEL = "channel ";

  private final Path file;
  private final String group;
  private final TreeSet<PairName> pairs = new TreeSet<>();
  private final Set<String> channels = new LinkedHashSet<>();
  private long untilNanos = Long.MIN_VALUE;
  private long eventsThere;

  /** Whether this process wrote the file, which then ends with a whole line. */
  private boolean isWritten;

  private ImportState(Path file, String group) {
    this.file = file;
    this.group = group;
  }

  /**
   * Reads the state of a group; that before the first pair if there is no file.
   *
   * @throws RequestException if the file is no state
   */
  static ImportState read(Path file, String group) throws IOException {
    ImportState state = new ImportState(file, group);
    if (Files.exists(file)) {
      try {
        state.parse(Files.readString(file, StandardCharsets.ISO_8859_1));
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw new RequestException(
            "not the state of an import; name another group, or restore the file from a backup:"
                + " file="
                + file);
      }
    }
    return state;
  }

  private void parse(String text) {
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    int last = whole.lastIndexOf("\n" + UNTIL) + 1;
    if (!whole.startsWith(HEAD) || last == 0) {
      throw new IllegalArgumentException(text);
    }
    for (String line : whole.substring(HEAD.length(), whole.indexOf('\n', last)).split("\n")) {
      if (line.startsWith(UNTIL)) {
        String[] numbers = line.substring(UNTIL.length()).split(" ");
        untilNanos = Long.parseLong(numbers[0]);
        eventsThere = Long.parseLong(numbers[1]);
      } else if (line.startsWith(PAIR)) {
        pairs.add(new PairName(group, line.substring(PAIR.length())));
      } else if (line.startsWith(CHANNEL)) {
        channels.add(line.substring(CHANNEL.length()));
      } else {
        throw new IllegalArgumentException(line);
      }
    }
  }

  /**
   * Adds a pair, durably: after a kill or a power cut the file has it as a whole, or not at all.
   *
   * @param newUntilNanos all events before this place of the source's order are in the pairs
   * @param newEventsThere the number of events at this place that are in the pairs
   * @param names the channels of the pair
   */
  void add(PairName pair, long newUntilNanos, long newEventsThere, List<String> names)
      throws IOException {
    List<String> newNames = new ArrayList<>(names);
    newNames.removeIf(name -> !channels.add(name));
    pairs.add(pair);
    untilNanos = newUntilNanos;
    eventsThere = newEventsThere;
    if (isWritten) {
      try (FileChannel out = FileChannel.open(file, WRITE, APPEND)) {
        write(out, lines(newNames, List.of(pair)));
      }
    } else {
      replace();
      isWritten = true;
    }
  }

  private void replace() throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      try (FileChannel out = FileChannel.open(fresh, CREATE, WRITE, TRUNCATE_EXISTING)) {
        write(out, HEAD + lines(channels, pairs));
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      LogFiles.DISK.force(file.toAbsolutePath().resolveSibling(""));
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private String lines(Iterable<String> names, Iterable<PairName> stamps) {
    StringBuilder text = new StringBuilder();
    names.forEach(name -> text.append(CHANNEL).append(name).append('\n'));
    stamps.forEach(pair -> text.append(PAIR).append(pair.stamp()).append('\n'));
    return text.append(UNTIL).append(untilNanos).append(' ').append(eventsThere + "\n").toString();
  }

  private static void write(FileChannel out, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
    out.force(true);
  }

  Path file() {
    return file;
  }

  /** Returns the pairs, in order; not a copy. */
  SortedSet<PairName> pairs() {
    return pairs;
  }

  /** Returns whether a pair has a channel. */
  boolean hasChannel(String name) {
    return channels.contains(name);
  }

  /**
   * Returns the place of the source's order before which all events are in the pairs, nanoseconds
   * since 1970 UTC; the least long before the first pair.
   */
  long untilNanos() {
    return untilNanos;
  }

  /** Returns the number of events at {@link #untilNanos} that are in the pairs. */
  long eventsThere() {
    return eventsThere;
  }
}
