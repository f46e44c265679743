package org.kblake.lake.publish;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.page.Codec;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.lake.table.LakeCatalog;

/** Publishes the blocks of a store. The caller has the lock of the location. */
public final class Publisher {

  private final GroupPublisher groups;
  private final PublishListener listener;

  /**
   * @param store open for reading; not closed here
   * @param catalog not closed here
   * @param codec the compression of data files; null if files of blocks keep theirs
   * @param version the version of kblake, for summaries of snapshots
   * @param lock the lock of the location; not released here
   */
  public Publisher(
      Store store,
      LakeCatalog catalog,
      @Nullable Codec codec,
      String version,
      PublishLock lock,
      PublishListener listener) {
    this.listener = listener;
    groups =
        new GroupPublisher(
            store,
            catalog,
            new FileTransfer(store.identity().archive(), codec, listener::read),
            listener,
            version,
            lock);
  }

  /**
   * Publishes groups, one after the other. A group that cannot be published does not prevent
   * others.
   *
   * @throws InterruptedException if the calling thread is interrupted; committed snapshots stay
   */
  public void run(List<Group> chosen) throws InterruptedException {
    for (Group group : chosen) {
      try {
        groups.run(group);
      } catch (IOException | RuntimeException e) {
        LakeErrors.requireNotStopped(e);
        listener.problem(group + ": " + LakeErrors.line(e));
      }
    }
  }
}
