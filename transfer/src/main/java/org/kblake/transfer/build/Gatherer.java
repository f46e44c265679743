package org.kblake.transfer.build;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;

/** Takes groups from collectors and writes their pairs below a root, until it is closed. */
public final class Gatherer implements Closeable {

  /** The file of a root that its gatherer has locked. */
  static final String LOCK = ".gather";

  private static final long STOP_MILLIS = 5_000;

  private final FileChannel lock;
  private final List<CollectorLink> links;

  private Gatherer(FileChannel lock, List<CollectorLink> links) {
    this.lock = lock;
    this.links = links;
  }

  /** The groups that each link has, so that no two write the same files. */
  static final class Claims {
    private final Map<Group, CollectorLink> holders = new ConcurrentHashMap<>();
    private final GroupList list;

    Claims(Path root) {
      list = new GroupList(root);
    }

    GroupList list() {
      return list;
    }

    /** Returns who has a group already; null if the link gets it. */
    @Nullable CollectorLink claim(Group group, CollectorLink link) {
      return holders.putIfAbsent(group, link);
    }

    void release(Group group, CollectorLink link) {
      holders.remove(group, link);
    }
  }

  /**
   * Begins to connect. The caller closes the gatherer.
   *
   * @throws IOException if another process gathers below the root, or it cannot be read
   */
  public static Gatherer start(GathererSettings settings) throws IOException {
    FileChannel lock = lock(settings.root());
    try {
      Quota quota = Quota.of(settings.root(), settings.limits().quotaBytes());
      Claims claims = new Claims(settings.root());
      long process = new SecureRandom().nextLong();
      List<CollectorLink> links =
          settings.collectors().stream()
              .map(each -> new CollectorLink(each, process, settings, quota, claims))
              .toList();
      links.forEach(CollectorLink::start);
      return new Gatherer(lock, links);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static FileChannel lock(Path root) throws IOException {
    Path file = root.resolve(LOCK);
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    FileLock held = null;
    try {
      held = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // This process has it
    } finally {
      if (held == null) {
        channel.close();
      }
    }
    if (held == null) {
      throw new IOException("another process gathers below this root: file=" + file);
    }
    return channel;
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
