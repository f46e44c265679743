package org.kblake.test;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Shows a growing file of a local disk whose writer makes room first: the file grows with zeros,
 * which are replaced by whole events, or whole entries of the index, up to a second later. What was
 * filled in stays.
 */
final class LocalView extends GrowingView {

  private static final int INDEX_ENTRY_BYTES = 16;
  private static final int LENGTH_BYTES = 4;
  private static final int LONGEST_PAUSE_STEPS = 50;

  private final @Nullable ByteOrder logOrder;
  private int pause;

  /**
   * @param logOrder the byte order of a log; null for an index, which is shown whole at first
   */
  LocalView(Path source, Path shown, SplittableRandom random, @Nullable ByteOrder logOrder)
      throws IOException {
    super(source, shown, random);
    this.logOrder = logOrder;
    complete();
  }

  @Override
  void step() throws IOException {
    long there = there();
    if (size() < there && random.nextInt(4) != 0) {
      extend(logOrder == null ? Math.min(there, filled() + INDEX_ENTRY_BYTES) : there);
    }
    if (pause > 0) {
      pause--;
    } else if (random.nextInt(40) == 0) {
      pause = random.nextInt(LONGEST_PAUSE_STEPS);
    } else if (filled() < size()) {
      fill(logOrder == null ? size() : endOfSomeEvent(logOrder));
    }
  }

  private long endOfSomeEvent(ByteOrder order) throws IOException {
    long end = filled();
    do {
      int length = end + LENGTH_BYTES > size() ? 0 : read(end, LENGTH_BYTES).order(order).getInt();
      if (length <= 0 || end + length > size()) {
        return end;
      }
      end += length;
    } while (random.nextInt(20) != 0);
    return end;
  }
}
