package org.kblake.ingest.internal.live.state;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.Coverage;
import org.kblake.core.internal.store.block.LogSpan;
import org.kblake.core.model.Group;

/**
 * The stretches that were evicted. They are not put into columns again, although they are missing
 * there. The file {@code evicted} in the store has a line for each; neighbours have one line:
 *
 * <pre>
 *   group | pair | from | to
 * </pre>
 *
 * separated by blanks. If the file is lost, these stretches are made and evicted once more, and no
 * event is lost. Safe for many threads.
 */
public final class EvictedStretches {

  private static final String FILE = "evicted";

  private final Path file;
  private final Map<Group, List<LogSpan>> byGroup = new TreeMap<>();

  /** Reads the file. Invalid lines are skipped. */
  public EvictedStretches(Path store) throws IOException {
    file = store.resolve(FILE);
    try {
      for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
        read(line.split(" ", -1));
      }
    } catch (NoSuchFileException e) {
      // Nothing was evicted yet.
    }
  }

  private void read(String[] words) {
    if (words.length != 4) {
      return;
    }
    try {
      of(Group.parse(words[0]))
          .add(new LogSpan(words[1], Long.parseLong(words[2]), Long.parseLong(words[3])));
    } catch (IllegalArgumentException e) {
      // A power cut may leave a partial line.
    }
  }

  private List<LogSpan> of(Group group) {
    return byGroup.computeIfAbsent(group, added -> new ArrayList<>());
  }

  /** Returns the evicted stretches of a group, in no order. */
  public synchronized List<LogSpan> stretches(Group group) {
    return List.copyOf(byGroup.getOrDefault(group, List.of()));
  }

  /**
   * Returns the coverage of blocks together with the evicted stretches: neither is to be put into
   * columns.
   *
   * @param blocks the blocks in use
   * @param coverage the coverage of these blocks
   */
  public Coverage with(Group group, List<Block> blocks, Coverage coverage) {
    List<LogSpan> stretches = new ArrayList<>();
    for (LogSpan evicted : stretches(group)) {
      // A stretch that was put into columns again counts once.
      long at = evicted.fromOffset();
      for (LogSpan held :
          coverage.held(evicted.stamp(), evicted.fromOffset(), evicted.toOffset())) {
        if (at < held.fromOffset()) {
          stretches.add(new LogSpan(evicted.stamp(), at, held.fromOffset()));
        }
        at = held.toOffset();
      }
      if (at < evicted.toOffset()) {
        stretches.add(new LogSpan(evicted.stamp(), at, evicted.toOffset()));
      }
    }
    if (stretches.isEmpty()) {
      return coverage;
    }
    blocks.forEach(block -> stretches.addAll(block.spans()));
    return new Coverage(stretches);
  }

  public synchronized void add(Group group, List<LogSpan> stretches) throws IOException {
    for (LogSpan stretch : stretches) {
      List<LogSpan> known = of(group);
      LogSpan joined = stretch;
      for (LogSpan each : List.copyOf(known)) {
        if (adjoin(each, joined)) {
          known.remove(each);
          joined =
              new LogSpan(
                  each.stamp(),
                  Math.min(each.fromOffset(), joined.fromOffset()),
                  Math.max(each.toOffset(), joined.toOffset()));
        }
      }
      known.add(joined);
    }
    write();
  }

  private static boolean adjoin(LogSpan one, LogSpan other) {
    return one.stamp().equals(other.stamp())
        && one.fromOffset() <= other.toOffset()
        && other.fromOffset() <= one.toOffset();
  }

  /** Removes all evicted bytes within a stretch. */
  public synchronized void remove(Group group, LogSpan stretch) throws IOException {
    List<LogSpan> known = of(group);
    List<LogSpan> left = new ArrayList<>();
    for (LogSpan each : known) {
      if (!each.meets(stretch)) {
        left.add(each);
        continue;
      }
      if (each.fromOffset() < stretch.fromOffset()) {
        left.add(new LogSpan(each.stamp(), each.fromOffset(), stretch.fromOffset()));
      }
      if (each.toOffset() > stretch.toOffset()) {
        left.add(new LogSpan(each.stamp(), stretch.toOffset(), each.toOffset()));
      }
    }
    if (!left.equals(known)) {
      byGroup.put(group, left);
      write();
    }
  }

  /** Removes all stretches of a group. */
  public synchronized void removeAll(Group group) throws IOException {
    if (byGroup.remove(group) != null) {
      write();
    }
  }

  private void write() throws IOException {
    List<String> lines = new ArrayList<>();
    byGroup.forEach(
        (group, stretches) ->
            stretches.forEach(
                stretch ->
                    lines.add(
                        group
                            + " "
                            + stretch.stamp()
                            + " "
                            + stretch.fromOffset()
                            + " "
                            + stretch.toOffset())));
    Path temporary = file.resolveSibling(FILE + ".new");
    Files.write(temporary, lines, StandardCharsets.ISO_8859_1);
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
