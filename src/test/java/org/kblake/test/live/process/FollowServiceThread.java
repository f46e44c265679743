package org.kblake.test.live.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;

/** A thread that follows an archive as soon as the store has no other writer. */
final class FollowServiceThread {

  private static final long TRY_MILLIS = 100;

  private final Thread thread;
  private volatile @Nullable Throwable failure;

  FollowServiceThread(Archive archive, Path storePath, FollowSettings settings) {
    this(archive, storePath, new UnforcedFiles(), settings);
  }

  FollowServiceThread(Archive archive, Path storePath, StoreFiles files, FollowSettings settings) {
    thread =
        new Thread(
            () -> {
              try (Store store = take(archive, storePath, files)) {
                new FollowService(archive, store, settings, FollowListener.NONE, Clock.systemUTC())
                    .run();
              } catch (InterruptedException e) {
                // It was ended before it got the lock of the store.
              } catch (IOException | RuntimeException | Error e) {
                failure = e;
              }
            },
            "live " + storePath);
  }

  private static Store take(Archive archive, Path storePath, StoreFiles files)
      throws IOException, InterruptedException {
    while (true) {
      try {
        return Store.openForWriting(storePath, TestStores.identity(archive), files);
      } catch (StoreException e) {
        TimeUnit.MILLISECONDS.sleep(TRY_MILLIS);
      }
    }
  }

  void start() {
    thread.start();
  }

  /** Returns whether the thread has ended by an error. */
  boolean hasFailed() {
    return failure != null;
  }

  void end() throws InterruptedException {
    thread.interrupt();
    thread.join();
    Throwable why = failure;
    if (why != null) {
      throw new AssertionError("following failed", why);
    }
  }
}
