package org.kblake.test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.Archive;
import org.kblake.core.model.Group;
import org.kblake.core.store.Access;
import org.kblake.core.store.Block;
import org.kblake.core.store.Store;
import org.kblake.core.store.StoreException;
import org.kblake.ingest.live.Live;
import org.kblake.ingest.live.LiveListener;
import org.kblake.ingest.live.LiveSettings;

/** Follows an archive from the moment on at which the store has no other writer. */
final class LiveThread {

  private static final long TRY_MILLIS = 100;

  private final Thread thread;
  private volatile @Nullable Throwable failure;

  LiveThread(Archive archive, Path storePath, LiveSettings settings) {
    thread =
        new Thread(
            () -> {
              try (Store store = take(archive, storePath)) {
                new Live(archive, store, settings, new Deaf(), Clock.systemUTC()).run();
              } catch (InterruptedException e) {
                // It was ended before it got the store.
              } catch (IOException | RuntimeException | Error e) {
                failure = e;
              }
            },
            "live " + storePath);
  }

  private static Store take(Archive archive, Path storePath)
      throws IOException, InterruptedException {
    while (true) {
      try {
        return Store.openForWriting(storePath, TestStores.identity(archive));
      } catch (StoreException e) {
        TimeUnit.MILLISECONDS.sleep(TRY_MILLIS);
      }
    }
  }

  void start() {
    thread.start();
  }

  void end() throws InterruptedException {
    thread.interrupt();
    thread.join();
    Throwable why = failure;
    if (why != null) {
      throw new AssertionError("following failed", why);
    }
  }

  private static final class Deaf implements LiveListener {
    @Override
    public void merged(List<Block> smaller, Block block, long storedBytes) {}

    @Override
    public void sealed(Block block, long storedBytes) {}

    @Override
    public void discarded(Block block, String why) {}

    @Override
    public void evicted(Block block, long storedBytes) {}

    @Override
    public void read(Access access) {}

    @Override
    public void refused(String what) {}

    @Override
    public void problem(Group group, String message) {}

    @Override
    public void over(Group group, String message) {}
  }
}
