package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes the bytes of a stretch of a log, piece after piece. */
@FunctionalInterface
public interface BytesConsumer {

  /**
   * @param piece from position to limit; valid during the call only
   */
  void accept(ByteBuffer piece) throws IOException;
}
