package org.kblake.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.cli.standby.Latch;
import org.kblake.cli.standby.LatchProvider;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.file.StoreException;

/** Waits for a store that another process, or another host, writes. */
final class Standby {

  private static final long RETRY_MILLIS = 1_000;

  private Standby() {}

  /** Returns a latch as soon as this process holds it. */
  static Latch await(String servers, RunLog log) throws InterruptedException {
    Latch latch = LatchProvider.acrossHosts(servers, "run", line -> log.info(line));
    try {
      while (!latch.isConfirmed()) {
        TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
      }
      return latch;
    } catch (InterruptedException e) {
      latch.close();
      throw e;
    }
  }

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
