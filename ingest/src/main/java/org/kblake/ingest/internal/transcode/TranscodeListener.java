package org.kblake.ingest.internal.transcode;

import java.io.IOException;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;

/** Hears how logs become blocks. Called from several threads. */
public interface TranscodeListener {

  /** So much more of the raw log is in rows. */
  void scanned(Group group, long rawBytes, long events);

  /** A block is in use, durable. */
  void committed(Block block) throws IOException;

  /** Something cannot be read yet, or changed while it was read: it is as well later. */
  void pending(Group group, String message);

  /** Something could not be read or is damaged; the rest continues. */
  void problem(Group group, String message);
}
