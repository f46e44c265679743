package org.kblake.transfer.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.PairName;
import org.kblake.transfer.TransferNames;

/** The most bytes that the pairs below a root may have. Thread safe. */
final class Quota {

  /** What a file or a directory counts beside its bytes. */
  static final long ENTRY_BYTES = 4096;

  private static final long COUNT_NANOS = 60_000_000_000L;

  /** How often one group is tried after a file could not be written. */
  private static final long TRY_NANOS = 25_000_000_000L;

  private final Path root;
  private final long maxBytes;
  private final LongSupplier clock;
  private final Executor counter;
  private long used;
  private long countedNanos;
  private boolean counts;

  /** Why the last file could not be written; null if it could. */
  private @Nullable IOException problem;

  private boolean tried;
  private long triedNanos;

  /**
   * Counts the bytes of the pairs below a root, if there is a quota.
   *
   * @param maxBytes {@link Long#MAX_VALUE} for no quota
   * @param clock nanoseconds, as those of {@link System#nanoTime}
   * @param counter counts later
   */
  Quota(Path root, long maxBytes, LongSupplier clock, Executor counter) throws IOException {
    this.root = root;
    this.maxBytes = maxBytes;
    this.clock = clock;
    this.counter = counter;
    used = maxBytes == Long.MAX_VALUE ? 0 : count();
    countedNanos = clock.getAsLong();
  }

  private long count() throws IOException {
    AtomicLong bytes = new AtomicLong();
    try {
      List<Path> systems = new ArrayList<>();
      TransferNames.list(root, name -> systems.add(root.resolve(name)));
      for (Path system : systems) {
        String name = String.valueOf(system.getFileName());
        if (TransferNames.group(name, name) != null && TransferNames.isDirectory(system)) {
          bytes.addAndGet(ENTRY_BYTES);
          TransferNames.list(
              system,
              file ->
                  bytes.addAndGet(
                      PairName.ofFile(file) == null ? 0 : ENTRY_BYTES + size(system, file)));
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return bytes.get();
  }

  private void countAgain() {
    long before;
    synchronized (this) {
      before = used;
    }
    Long found = null;
    try {
      found = count();
    } catch (IOException e) {
      // The next time
    }
    synchronized (this) {
      // What was written in between may count twice, until the next time.
      used = found == null ? used : found + used - before;
      countedNanos = clock.getAsLong();
      counts = false;
    }
  }

  private static long size(Path directory, String file) {
    try {
      return Files.readAttributes(
              directory.resolve(file), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .size();
    } catch (NoSuchFileException e) {
      // Deleted in the meantime
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Takes bytes. If there are not so many left, they are counted again, since files may have been
   * deleted.
   *
   * @throws IOException if there are not so many left
   */
  synchronized void take(long bytes) throws IOException {
    boolean isDue = !counts && clock.getAsLong() - countedNanos >= COUNT_NANOS;
    if (bytes > maxBytes - used && isDue) {
      counts = true;
      counter.execute(this::countAgain);
    }
    if (bytes > maxBytes - used) {
      IOException full =
          new IOException("the quota is used up: gather-quota=" + maxBytes + "; raise it");
      fails(full);
      throw full;
    }
    used += bytes;
  }

  /** Gives bytes back that were not written. */
  synchronized void giveBack(long bytes) {
    used -= bytes;
  }

  /** Takes note that a file could not be written. */
  synchronized void fails(IOException reason) {
    tried &= problem != null;
    problem = reason;
  }

  /** Takes note that a file could be written. */
  synchronized void works() {
    problem = null;
  }

  /**
   * Permits to begin a group. If the last file could not be written, only one group tries, so that
   * collectors do not send for nothing.
   *
   * @throws IOException if the group has to wait
   */
  synchronized void requireRoom() throws IOException {
    if (problem == null) {
      return;
    }
    long now = clock.getAsLong();
    if (tried && now - triedNanos < TRY_NANOS) {
      throw new IOException(problem.getMessage(), problem);
    }
    tried = true;
    triedNanos = now;
  }
}
