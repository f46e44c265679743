package org.kblake.ingest.internal.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.kblake.core.internal.store.block.Patch;

/**
 * Adds to a patch the bytes of a log that differ from the encoded ones. The same code runs for
 * blocks made of a log and for merged blocks. Not thread safe.
 */
final class PatchBuilder {

  private final Patch.Writer patch;

  PatchBuilder(Patch.Writer patch) {
    this.patch = patch;
  }

  /**
   * Compares a milestone with its prediction from the state of all records. If they differ, loads
   * the state from the milestone.
   *
   * @param actual the whole milestone from 0 to the limit, at most {@link Patch#MAX_BYTES}, in the
   *     pair's byte order
   */
  void milestone(int span, LogEncoder encoder, long offset, long nanos, ByteBuffer actual)
      throws IOException {
    ByteBuffer predicted = encoder.milestone(nanos);
    if (actual.limit() != predicted.limit()) {
      insert(span, offset, actual.duplicate());
      encoder.load(actual);
    } else if (overlay(span, offset, actual, predicted)) {
      encoder.load(actual);
    }
  }

  /**
   * Adds the bytes that differ from the expected ones.
   *
   * @param actual the bytes of the log, from position to limit
   * @param expected the same number of bytes, from 0
   * @return whether any bytes differ
   */
  boolean overlay(int span, long offset, ByteBuffer actual, ByteBuffer expected)
      throws IOException {
    ByteBuffer log = actual.duplicate();
    int at = 0;
    int length = log.remaining();
    boolean differs = false;
    while (at < length) {
      int same =
          log.slice(log.position() + at, length - at).mismatch(expected.slice(at, length - at));
      if (same < 0) {
        break;
      }
      int from = at + same;
      int to = from + 1;
      while (to < length && log.get(log.position() + to) != expected.get(to)) {
        to++;
      }
      patch.add(true, span, offset + from, log.slice(log.position() + from, to - from));
      differs = true;
      at = to;
    }
    return differs;
  }

  /**
   * Adds bytes that no row encodes.
   *
   * @param bytes the bytes from position to limit; the position is moved
   */
  void insert(int span, long offset, ByteBuffer bytes) throws IOException {
    patch.add(false, span, offset, bytes);
  }
}
