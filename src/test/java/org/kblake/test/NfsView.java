package org.kblake.test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Shows a growing file as it is seen over NFS: bytes come in pieces of any size, and now and then
 * what was there already is gone again for a while, back to zeros from some page on.
 */
final class NfsView extends GrowingView {

  private static final int PAGE_BYTES = 4096;

  NfsView(Path source, Path shown, SplittableRandom random) throws IOException {
    super(source, shown, random);
  }

  @Override
  void step() throws IOException {
    long there = there();
    if (random.nextInt(4) != 0 && size() < there) {
      extend(there - random.nextLong(Math.min(200, there - size())));
    }
    if (random.nextInt(30) == 0) {
      hide();
    } else if (filled() < size() && random.nextInt(3) != 0) {
      fill(filled() + 1 + random.nextLong(size() - filled()));
    }
  }

  /** Pages at the end are stale: they show zeros again. */
  private void hide() throws IOException {
    long from =
        Math.max(0, filled() - 1 - random.nextInt(3 * PAGE_BYTES)) / PAGE_BYTES * PAGE_BYTES;
    if (from < filled() && filled() - from < 3 * PAGE_BYTES) {
      hide(from);
    }
  }
}
