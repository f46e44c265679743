package org.kblake.core.internal.store;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.store.file.StoreException;

/**
 * The right to write a store: a lock on the file {@code writer.lock}. The file contains the host,
 * the process, its start time, and whether it carries out requests of other processes. The
 * operating system releases the lock when the process ends, for any reason.
 *
 * <p>POSIX releases a process's locks on a file when the process closes <em>any</em> descriptor of
 * that file. Therefore this process opens the file only once while it has the lock. Other processes
 * read the file only after they failed to lock it.
 */
public final class WriterLock implements AutoCloseable {

  static final String FILE_NAME = "writer.lock";

  /**
   * The stores that this process has locked. They are checked before a lock file is opened, so that
   * it is not opened twice.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final FileChannel channel;
  private final Path held;

  private WriterLock(FileChannel channel, Path held) {
    this.channel = channel;
    this.held = held;
  }

  /**
   * Takes the lock.
   *
   * @param takesRequests whether this process carries out requests of other processes
   * @throws StoreException.Locked if another process or thread has it, with the holder
   */
  static WriterLock take(Path directory, boolean takesRequests) throws IOException {
    Path held = directory.toRealPath();
    if (!HELD.add(held)) {
      throw locked(directory, "this process");
    }
    Path file = directory.resolve(FILE_NAME);
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        throw locked(directory, holder(file));
      }
      String self = self() + (takesRequests ? StoreException.Locked.TAKES_REQUESTS : "");
      byte[] text = self.getBytes(StandardCharsets.UTF_8);
      // A full disk has room for it in the file of the holder before.
      channel.write(ByteBuffer.wrap(text), 0);
      channel.truncate(text.length);
      return new WriterLock(channel, held);
    } catch (Throwable e) {
      HELD.remove(held);
      if (channel != null) {
        FirstFailure.close(e, channel);
      }
      throw e;
    }
  }

  private static StoreException.Locked locked(Path directory, String holder) {
    return new StoreException.Locked(
        "another process has locked this store: store="
            + directory
            + ", holder="
            + holder
            + "; wait for it or stop it",
        holder);
  }

  private static String self() {
    ProcessHandle process = ProcessHandle.current();
    return "host="
        + hostName()
        + " pid="
        + process.pid()
        + " since="
        + process.info().startInstant().orElseGet(Instant::now);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String holder(Path file) {
    try {
      String text = Files.readString(file).strip();
      return text.isEmpty() ? "unknown" : text;
    } catch (IOException e) {
      return "unknown";
    }
  }

  /**
   * Returns the process that has the lock of a store, or had it last: {@code host=HOST pid=PID
   * since=TIME}; null if there was none, or if it is this process.
   */
  public static @Nullable String lastHolder(Path directory) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    if (!Files.isReadable(file) || HELD.contains(directory.toRealPath())) {
      return null;
    }
    return holder(file);
  }

  /** Releases the lock. */
  @Override
  public void close() throws IOException {
    channel.close();
    HELD.remove(held);
  }
}
