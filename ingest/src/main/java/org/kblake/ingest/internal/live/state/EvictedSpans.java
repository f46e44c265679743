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
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;

/**
 * The spans that were evicted. They are not put into columns again, although they are missing
 * there. The file {@code evicted} in the store has a line for each; neighbours have one line:
 *
 * <pre>
 *   group | pair | from | to
 * </pre>
 *
 * separated by blanks. If the file is lost, these spans are made and evicted once more, and no
 * event is lost. Safe for many threads.
 */
public final class EvictedSpans {

  private static final String FILE = "evicted";

  private final Path file;
  private final Map<Group, List<LogSpan>> byGroup = new TreeMap<>();

  /** Reads the file. Invalid lines are skipped. */
  public EvictedSpans(Path store) throws IOException {
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

  /** Returns the evicted spans of a group, in no order. */
  public synchronized List<LogSpan> spans(Group group) {
    return List.copyOf(byGroup.getOrDefault(group, List.of()));
  }

  /**
   * Returns the coverage of blocks together with the evicted spans: neither is to be put into
   * columns.
   *
   * @param blocks the blocks in use
   * @param coverage the coverage of these blocks
   */
  public Coverage with(Group group, List<Block> blocks, Coverage coverage) {
    List<LogSpan> spans = new ArrayList<>();
    for (LogSpan evicted : spans(group)) {
      // A span that was put into columns again counts once.
      long at = evicted.fromOffset();
      for (LogSpan held :
          coverage.held(evicted.stamp(), evicted.fromOffset(), evicted.toOffset())) {
        if (at < held.fromOffset()) {
          spans.add(new LogSpan(evicted.stamp(), at, held.fromOffset()));
        }
        at = held.toOffset();
      }
      if (at < evicted.toOffset()) {
        spans.add(new LogSpan(evicted.stamp(), at, evicted.toOffset()));
      }
    }
    if (spans.isEmpty()) {
      return coverage;
    }
    blocks.forEach(block -> spans.addAll(block.spans()));
    return new Coverage(spans);
  }

  public synchronized void add(Group group, List<LogSpan> spans) throws IOException {
    for (LogSpan span : spans) {
      List<LogSpan> known = of(group);
      LogSpan joined = span;
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

  /** Removes all evicted bytes within a span. */
  public synchronized void remove(Group group, LogSpan span) throws IOException {
    List<LogSpan> known = of(group);
    List<LogSpan> left = new ArrayList<>();
    for (LogSpan each : known) {
      if (!each.meets(span)) {
        left.add(each);
        continue;
      }
      if (each.fromOffset() < span.fromOffset()) {
        left.add(new LogSpan(each.stamp(), each.fromOffset(), span.fromOffset()));
      }
      if (each.toOffset() > span.toOffset()) {
        left.add(new LogSpan(each.stamp(), span.toOffset(), each.toOffset()));
      }
    }
    if (!left.equals(known)) {
      byGroup.put(group, left);
      write();
    }
  }

  /** Removes all spans of a group. */
  public synchronized void removeAll(Group group) throws IOException {
    if (byGroup.remove(group) != null) {
      write();
    }
  }

  private void write() throws IOException {
    List<String> lines = new ArrayList<>();
    byGroup.forEach(
        (group, spans) ->
            spans.forEach(
                span ->
                    lines.add(
                        group
                            + " "
                            + span.stamp()
                            + " "
                            + span.fromOffset()
                            + " "
                            + span.toOffset())));
    Path temporary = file.resolveSibling(FILE + ".new");
    Files.write(temporary, lines, StandardCharsets.ISO_8859_1);
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
