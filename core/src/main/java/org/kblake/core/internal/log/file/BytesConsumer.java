package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A consumer of the bytes of a stretch of a log, piece by piece. */
@FunctionalInterface
public interface BytesConsumer {

  /**
   * @param piece the bytes from position to limit; valid during the call only
   */
  void accept(ByteBuffer piece) throws IOException;
}
