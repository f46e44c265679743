package org.kblake.ingest.internal.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.kblake.core.internal.store.block.Patch;

/**
 * Puts into a patch what the log's bytes have that is not predicted: the same code while a block is
 * made of a log and of other blocks. Not thread safe.
 */
final class PatchBuilder {

  private final Patch.Writer patch;

  PatchBuilder(Patch.Writer patch) {
    this.patch = patch;
  }

  /**
   * Compares a milestone with what the state of all records predicts, and takes the state from it
   * where the two differ.
   *
   * @param actual the whole milestone from 0 to the limit, at most {@link
   *     Patch#LARGEST_PIECE_BYTES}, in the pair's byte order
   */
  void milestone(int stretch, LogEncoder encoder, long offset, long nanos, ByteBuffer actual)
      throws IOException {
    ByteBuffer predicted = encoder.milestone(nanos);
    if (actual.limit() != predicted.limit()) {
      insert(stretch, offset, actual.duplicate());
      encoder.load(actual);
    } else if (overlay(stretch, offset, actual, predicted)) {
      encoder.load(actual);
    }
  }

  /**
   * Adds the bytes that differ.
   *
   * @param actual from position to limit
   * @param expected as many bytes, from 0
   * @return whether any do
   */
  boolean overlay(int stretch, long offset, ByteBuffer actual, ByteBuffer expected)
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
      patch.add(true, stretch, offset + from, log.slice(log.position() + from, to - from));
      differs = true;
      at = to;
    }
    return differs;
  }

  /**
   * Adds bytes that no event stands for.
   *
   * @param bytes from position to limit; the position is moved
   */
  void insert(int stretch, long offset, ByteBuffer bytes) throws IOException {
    patch.add(false, stretch, offset, bytes);
  }
}
