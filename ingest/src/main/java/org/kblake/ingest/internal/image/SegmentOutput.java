package org.kblake.ingest.internal.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.store.block.StoredSegment;

/**
 * Gathers the bytes of segments for a sink, and compares the SHA-256 of each segment with that of
 * the log. Not thread safe.
 */
final class SegmentOutput {

  private static final int BUFFER_BYTES = 1 << 18;

  private final Path block;
  private final BlockReplay.Sink sink;
  private final MessageDigest sha256 = BlockRecorder.newSha256();
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

  /**
   * @param block the directory of the block
   */
  SegmentOutput(Path block, BlockReplay.Sink sink) {
    this.block = block;
    this.sink = sink;
  }

  /**
   * Puts bytes of a segment, from position to limit.
   *
   * @param offset their offset in the log
   * @return the offset behind them
   */
  long put(StoredSegment segment, long offset, ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    if (length > buffer.remaining()) {
      flush(segment, offset);
    }
    if (length > buffer.remaining()) {
      give(segment, offset, bytes);
    } else {
      buffer.put(bytes);
    }
    return offset + length;
  }

  /**
   * Gives the sink all bytes that were put.
   *
   * @param end the offset behind them
   */
  void flush(StoredSegment segment, long end) throws IOException {
    buffer.flip();
    if (buffer.hasRemaining()) {
      give(segment, end - buffer.remaining(), buffer);
    }
    buffer.clear();
  }

  private void give(StoredSegment segment, long offset, ByteBuffer bytes) throws IOException {
    sha256.update(bytes.duplicate());
    sink.bytes(segment, offset, bytes);
  }

  /** Ends a segment, whose bytes were flushed and are complete. */
  void end(StoredSegment segment) throws CorruptBlockException {
    if (Arrays.equals(sha256.digest(), segment.sha256())) {
      sink.end(segment);
    } else {
      sink.differs(
          segment,
          new CorruptBlockException(
              block, segment.startOffset(), "bytes with another SHA-256", "those of the log"));
    }
  }
}
