package org.kblake.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.file.StoreException;

/** Waits for a store that another process has locked. */
final class Standby {

  private static final long RETRY_MILLIS = 1_000;

  private Standby() {}

  /** Opens a store for writing and for requests as soon as it is not locked. */
  static Store open(Path directory, StoreIdentity identity, RunLog log)
      throws IOException, InterruptedException {
    String holder = "";
    while (true) {
      try {
        Store store = Store.openForRequests(directory, identity);
        if (!holder.isEmpty()) {
          log.info("takes over", "store", directory);
        }
        return store;
      } catch (StoreException.Locked e) {
        if (!holder.equals(e.getMessage())) {
          holder = String.valueOf(e.getMessage());
          log.info("stands by", "reason", holder);
        }
        TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
      }
    }
  }
}
