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
 * The right to write a store: a lock on the file {@code writer.lock}; or another directory: a lock
 * on another file. It contains the host, the process, its start time, and whether it carries out
 * requests of other processes. The operating system releases the lock when the process ends, for
 * any reason.
 *
 * <p>POSIX releases a process's locks on a file when the process closes <em>any</em> descriptor of
 * that file. Therefore this process opens the file only once while it has the lock. Other processes
 * read the file only after they failed to lock it.
 */
public final class WriterLock implements AutoCloseable {

  static final String FILE_NAME = "writer.lock";

  /** The files that this process has locked. They are checked before one is opened. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final FileChannel channel;
  private final Path held;

  private WriterLock(FileChannel channel, Path held) {
    this.channel = channel;
    this.held = held;
  }

  /**
   * Takes the lock of a store.
   *
   * @param takesRequests whether this process carries out requests of other processes
   * @throws StoreException.Locked if another process or thread has it, with the holder
   */
  static WriterLock take(Path directory, boolean takesRequests) throws IOException {
    return take(
        directory.toRealPath().resolve(FILE_NAME),
        self() + (takesRequests ? StoreException.Locked.TAKES_REQUESTS : ""),
        "another process has locked this store: store=" + directory);
  }

  /**
   * Takes a lock of another file, which is made if it does not exist.
   *
   * @param problem what to say if another process or thread has it
   * @throws StoreException.Locked if another process or thread has it, with the holder
   */
  public static WriterLock take(Path file, String problem) throws IOException {
    Path directory = file.toAbsolutePath().resolveSibling("").toRealPath();
    return take(directory.resolve(String.valueOf(file.getFileName())), self(), problem);
  }

  private static WriterLock take(Path file, String self, String problem) throws IOException {
    if (!HELD.add(file)) {
      throw locked(problem, "this process");
    }
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        throw locked(problem, holder(file));
      }
      byte[] text = self.getBytes(StandardCharsets.UTF_8);
      // A full disk has room for it in the file of the holder before.
      channel.write(ByteBuffer.wrap(text), 0);
      channel.truncate(text.length);
      return new WriterLock(channel, file);
    } catch (Throwable e) {
      // Its descriptor is closed first: another thread may lock the file as soon as it is not held.
      FirstFailure.close(e, channel);
      HELD.remove(file);
      throw e;
    }
  }

  private static StoreException.Locked locked(String problem, String holder) {
    return new StoreException.Locked(
        problem + ", holder=" + holder + "; wait for it or stop it", holder);
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
    if (!Files.isReadable(file) || HELD.contains(directory.toRealPath().resolve(FILE_NAME))) {
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
