package org.kblake.ingest.internal.transcode;

import java.io.IOException;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;

/** Receives the progress of making blocks of logs. */
public interface TranscodeListener {

  /** Receives the bytes and events of log that were put into rows since the last call. */
  void scanned(Group group, long rawBytes, long events);

  /** Receives a new block, which is durable and in use. */
  void committed(Block block) throws IOException;

  /**
   * Receives a range that cannot be read yet, or changed while it was read. It can be read later.
   */
  void pending(Group group, String message);

  /** Receives a problem: a file could not be read, or is damaged. The rest continues. */
  void problem(Group group, String message);
}
