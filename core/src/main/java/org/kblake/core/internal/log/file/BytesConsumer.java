package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A consumer of the bytes of a span of a log, read by read. */
@FunctionalInterface
public interface BytesConsumer {

  /**
   * @param bytes the bytes from position to limit; valid during the call only
   */
  void accept(ByteBuffer bytes) throws IOException;
}
