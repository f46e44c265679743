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
import org.kblake.core.internal.store.block.Stretch;
import org.kblake.core.model.Group;

/**
 * Stretches that were in columns and went for the sake of the budget: they are not put into columns
 * again just because they are missing. The file {@code evicted} in the store, a line each:
 *
 * <pre>
 *   group | pair | from | to
 * </pre>
 *
 * with blanks between. Without the file they are made, and evicted, once more: nothing is lost.
 * Safe for many threads.
 */
public final class EvictedStretches {

  private static final String FILE = "evicted";

  private final Path file;
  private final Map<Group, List<Stretch>> byGroup = new TreeMap<>();

  /** Reads the file; lines that are none are skipped. */
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
          .add(new Stretch(words[1], Long.parseLong(words[2]), Long.parseLong(words[3])));
    } catch (IllegalArgumentException e) {
      // Half a line after a power cut.
    }
  }

  private List<Stretch> of(Group group) {
    return byGroup.computeIfAbsent(group, added -> new ArrayList<>());
  }

  /** What was evicted of a group, in no order. */
  public synchronized List<Stretch> stretches(Group group) {
    return List.copyOf(byGroup.getOrDefault(group, List.of()));
  }

  /**
   * What blocks hold of a group, and what was evicted of it: neither is missing.
   *
   * @param blocks those in use
   * @param coverage of these blocks
   */
  public Coverage with(Group group, List<Block> blocks, Coverage coverage) {
    List<Stretch> both = new ArrayList<>();
    for (Stretch gone : stretches(group)) {
      // What was made again since then counts once.
      long at = gone.fromOffset();
      for (Stretch held : coverage.held(gone.stamp(), gone.fromOffset(), gone.toOffset())) {
        if (at < held.fromOffset()) {
          both.add(new Stretch(gone.stamp(), at, held.fromOffset()));
        }
        at = held.toOffset();
      }
      if (at < gone.toOffset()) {
        both.add(new Stretch(gone.stamp(), at, gone.toOffset()));
      }
    }
    if (both.isEmpty()) {
      return coverage;
    }
    blocks.forEach(block -> both.addAll(block.stretches()));
    return new Coverage(both);
  }

  public synchronized void add(Group group, List<Stretch> stretches) throws IOException {
    for (Stretch stretch : stretches) {
      List<Stretch> known = of(group);
      known.removeIf(stretch::contains);
      known.add(stretch);
    }
    write();
  }

  /**
   * Forgets what lies in a stretch, wholly or in part.
   *
   * @return whether anything did
   */
  public synchronized boolean remove(Group group, Stretch stretch) throws IOException {
    List<Stretch> known = of(group);
    List<Stretch> left = new ArrayList<>();
    for (Stretch each : known) {
      if (!each.meets(stretch)) {
        left.add(each);
        continue;
      }
      if (each.fromOffset() < stretch.fromOffset()) {
        left.add(new Stretch(each.stamp(), each.fromOffset(), stretch.fromOffset()));
      }
      if (each.toOffset() > stretch.toOffset()) {
        left.add(new Stretch(each.stamp(), stretch.toOffset(), each.toOffset()));
      }
    }
    boolean changed = !left.equals(known);
    if (changed) {
      byGroup.put(group, left);
      write();
    }
    return changed;
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
