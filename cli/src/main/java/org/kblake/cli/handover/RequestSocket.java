package org.kblake.cli.handover;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;

/**
 * The Unix-domain socket {@code kblake-run/socket} in a store, at which the process that has locked
 * the store takes requests. Only its user, and root, can connect.
 */
public final class RequestSocket implements Closeable {

  private static final String NAME = "socket";

  /**
   * The limit of the path in an address. Systems have 104 or 108 bytes. A longer path is used
   * through a symbolic link.
   */
  private static final int MAX_PATH_BYTES = 100;

  private static final int BACKLOG = 128;

  private final Path store;
  private final Path directory;
  private final Path file;
  private @Nullable ServerSocketChannel channel;

  /**
   * @param store the directory of a store that this process has locked
   */
  public RequestSocket(Path store) {
    this.store = store;
    directory = store.resolve(Store.RUN);
    file = directory.resolve(NAME);
  }

  /** Returns whether somebody has removed the socket. A volume may not respond. */
  public boolean isRemoved() {
    return Files.notExists(file);
  }

  /**
   * Listens, if it does not yet. A socket that an earlier process has left is replaced.
   *
   * @param again whether it listens at a new socket
   * @return the channel, in non-blocking mode; this object closes it
   * @throws IOException if the file system does not permit it; it may be tried again
   */
  public ServerSocketChannel listen(boolean again) throws IOException {
    ServerSocketChannel open = channel;
    if (open == null || again) {
      close();
      open = open();
      channel = open;
    }
    return open;
  }

  private ServerSocketChannel open() throws IOException {
    Path fresh = directory.resolve(NAME + ".new");
    StoreIdentity.requireIn(store);
    Files.createDirectories(directory);
    Files.deleteIfExists(fresh);
    ServerSocketChannel opened = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      opened.configureBlocking(false);
      at(fresh, address -> opened.bind(address, BACKLOG));
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
      // The umask may have let other users in until now
      for (SocketChannel early = opened.accept(); early != null; early = opened.accept()) {
        early.close();
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      return opened;
    } catch (Throwable e) {
      FirstFailure.close(e, opened, () -> Files.deleteIfExists(fresh));
      throw e;
    }
  }

  /**
   * Connects to the process that listens at a store's socket.
   *
   * @return the connection, in non-blocking mode; null if no process listens
   * @throws IOException if the process belongs to another user; the message says what to do
   */
  static @Nullable SocketChannel connect(Path store) throws IOException {
    Path file = store.resolve(Store.RUN).resolve(NAME);
    SocketChannel opened = SocketChannel.open(StandardProtocolFamily.UNIX);
    boolean connected = false;
    try {
      opened.configureBlocking(false);
      // If the queue of the listening process is full, some systems fail, and others return false
      connected = at(file, opened::connect);
      return connected ? opened : null;
    } catch (SocketException e) {
      if (Files.exists(file) && !Files.isWritable(file)) {
        throw new IOException(
            "kblake run has locked the store, and the request cannot be sent: file="
                + file
                + ", permission denied; run this as the user who runs kblake run",
            e);
      }
      return null;
    } finally {
      if (!connected) {
        opened.close();
      }
    }
  }

  /** What is done with an address. */
  private interface Use<T> {
    T at(SocketAddress address) throws IOException;
  }

  private static boolean isShort(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_PATH_BYTES;
  }

  /**
   * Uses a file as an address. A link in the directory for temporary files makes it short.
   *
   * @throws IOException if the directory for temporary files has a long path, too
   */
  private static <T> T at(Path file, Use<T> use) throws IOException {
    if (isShort(file)) {
      return use.at(UnixDomainSocketAddress.of(file));
    }
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      throw new NotDirectoryException(file.toString());
    }
    Path directory = Files.createTempDirectory("kblake-");
    Path link = directory.resolve("store");
    Path linked = link.resolve(file.getFileName());
    try {
      if (!isShort(linked)) {
        throw new IOException(
            "path of a socket is too long: file="
                + linked
                + "; set KBLAKE_JAVA_OPTS=-Djava.io.tmpdir=DIR with a short DIR");
      }
      Files.createSymbolicLink(link, parent);
      return use.at(UnixDomainSocketAddress.of(linked));
    } finally {
      Files.deleteIfExists(link);
      Files.deleteIfExists(directory);
    }
  }

  /** Returns the file, for messages. */
  @Override
  public String toString() {
    return "socket=" + file;
  }

  /** Stops listening, and removes the socket. The store is still locked. */
  @Override
  public void close() throws IOException {
    ServerSocketChannel open = channel;
    if (open != null) {
      channel = null;
      FirstFailure.closeAll(() -> Files.deleteIfExists(file), open);
    }
  }
}
