package org.kblake.transfer.build;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.store.WriterLock;
import org.kblake.transfer.TransferNames;

/** Takes groups from collectors and writes their pairs below a root, until it is closed. */
public final class Gatherer implements Closeable {

  /** The file of a root that its gatherer has locked. */
  static final String LOCK = ".gather";

  private static final long STOP_MILLIS = 5_000;

  private final WriterLock lock;
  private final List<CollectorLink> links;

  private Gatherer(WriterLock lock, List<CollectorLink> links) {
    this.lock = lock;
    this.links = links;
  }

  /**
   * Begins to connect. The caller closes the gatherer.
   *
   * @throws IOException if another process gathers below the root, or it cannot be read
   */
  public static Gatherer start(GathererSettings settings) throws IOException {
    WriterLock lock = lock(settings.root());
    try {
      Quota quota =
          new Quota(
              settings.root(), settings.limits().quotaBytes(), System::nanoTime, Gatherer::begin);
      Claims claims = new Claims(settings.root());
      long process = new SecureRandom().nextLong();
      List<CollectorLink> links =
          settings.collectors().stream()
              .map(each -> new CollectorLink(each, process, settings, quota, claims))
              .toList();
      links.forEach(CollectorLink::start);
      return new Gatherer(lock, links);
    } catch (IOException | RuntimeException e) {
      FirstFailure.close(e, lock::close);
      throw e;
    }
  }

  private static void begin(Runnable work) {
    Thread thread = new Thread(work, "kblake-gather-quota");
    thread.setDaemon(true);
    thread.start();
  }

  private static WriterLock lock(Path root) throws IOException {
    Path file = root.resolve(LOCK);
    TransferNames.requireFile(file);
    return WriterLock.take(file, "another process gathers below this root: file=" + file);
  }

  /** Returns how the builder gets on with each collector. */
  public List<CollectorStatus> status() {
    return links.stream().map(CollectorLink::status).toList();
  }

  /** Returns the bytes that were written. */
  public long writtenBytes() {
    return links.stream().mapToLong(CollectorLink::writtenBytes).sum();
  }

  /** Returns how many collectors there are. */
  public int collectors() {
    return links.size();
  }

  /** Returns how many collectors are connected. */
  public int connected() {
    return (int) links.stream().filter(CollectorLink::isConnected).count();
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      links.forEach(CollectorLink::stop);
      long untilNanos = System.nanoTime() + STOP_MILLIS * 1_000_000;
      links.forEach(each -> each.awaitEnd(untilNanos));
    }
  }
}
