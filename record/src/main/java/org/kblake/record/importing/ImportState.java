package org.kblake.record.importing;

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

/**
 * How far the imports of a group got.
 *
 * @param untilNanos all events before this place of the source's order are in the pairs; the least
 *     long before the first pair
 * @param eventsThere the number of events at this place that are in the pairs
 * @param stamps the stamps of the pairs, in order
 * @param channels the names of all channels that were imported
 */
record ImportState(long untilNanos, long eventsThere, List<String> stamps, Set<String> channels) {

  private static final String HEAD = "kblake import 1";
  private static final String UNTIL = "until ";
  private static final String PAIR = "pair ";
  private static final String CHANNEL = "channel ";

  static final ImportState NONE = new ImportState(Long.MIN_VALUE, 0, List.of(), Set.of());

  ImportState {
    stamps = List.copyOf(stamps);
    channels = Set.copyOf(channels);
  }

  /** Returns whether a pair was imported. */
  boolean hasPairs() {
    return !stamps.isEmpty();
  }

  /** Returns this state with one more pair. */
  ImportState with(String stamp, long newUntilNanos, long newEventsThere, List<String> names) {
    List<String> allStamps = new ArrayList<>(stamps);
    allStamps.add(stamp);
    Set<String> allNames = new LinkedHashSet<>(channels);
    allNames.addAll(names);
    return new ImportState(newUntilNanos, newEventsThere, allStamps, allNames);
  }

  /**
   * Reads a state.
   *
   * @return {@link #NONE} if there is no file
   * @throws IOException if the file is no state
   */
  static ImportState read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return NONE;
    }
    long until = Long.MIN_VALUE;
    long there = 0;
    List<String> stamps = new ArrayList<>();
    Set<String> channels = new LinkedHashSet<>();
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    try {
      if (lines.isEmpty() || !lines.get(0).equals(HEAD)) {
        throw new IllegalArgumentException(lines.isEmpty() ? "empty" : lines.get(0));
      }
      for (String line : lines.subList(1, lines.size())) {
        if (line.startsWith(UNTIL)) {
          String[] numbers = line.substring(UNTIL.length()).split(" ");
          until = Long.parseLong(numbers[0]);
          there = Long.parseLong(numbers[1]);
        } else if (line.startsWith(PAIR)) {
          stamps.add(line.substring(PAIR.length()));
        } else if (line.startsWith(CHANNEL)) {
          channels.add(line.substring(CHANNEL.length()));
        } else {
          throw new IllegalArgumentException(line);
        }
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException(
          "not the state of an import; name another group, or restore the file from a backup: file="
              + file,
          e);
    }
    return new ImportState(until, there, stamps, channels);
  }

  /** Replaces a file by this state, durably: it has the former state or this one, never a half. */
  void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder(HEAD).append('\n');
    text.append(UNTIL).append(untilNanos).append(' ').append(eventsThere).append('\n');
    stamps.forEach(stamp -> text.append(PAIR).append(stamp).append('\n'));
    channels.forEach(channel -> text.append(CHANNEL).append(channel).append('\n'));
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      try (FileChannel out = FileChannel.open(fresh, CREATE, WRITE, TRUNCATE_EXISTING)) {
        ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}
