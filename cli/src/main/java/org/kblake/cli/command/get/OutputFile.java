package org.kblake.cli.command.get;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FileTree;

/**
 * A file that appears under its name when it is complete, or not at all. Until then it is {@code
 * .NAME.PID.part} beside it; closing it before {@link #complete}, or Ctrl-C, removes that. What is
 * no regular file, such as {@code /dev/null} or a named pipe, is written to directly.
 */
final class OutputFile implements AutoCloseable {

  private static final int BUFFER_BYTES = 1 << 16;

  private final Path target;
  private final @Nullable Path part;
  private final FileChannel channel;
  private final OutputStream out;
  private final Thread onExit;
  private boolean done;

  /**
   * Begins a file.
   *
   * @param archive where it must not be; null if there is none
   * @param path where it is to appear; a link is followed
   */
  static OutputFile create(@Nullable Path archive, Path path) throws IOException {
    check(archive, path);
    Path target = Files.isSymbolicLink(path) && Files.exists(path) ? path.toRealPath() : path;
    if (Files.exists(target) && !Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
      return new OutputFile(target, null, FileChannel.open(target, StandardOpenOption.WRITE));
    }
    String name = "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".part";
    Path part = target.resolveSibling(name);
    try {
      FileChannel channel =
          FileChannel.open(
              part,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
      return new OutputFile(target, part, channel);
    } catch (AccessDeniedException e) {
      throw new AccessDeniedException(path.toString());
    }
  }

  /**
   * Refuses early what {@link #create} would refuse when all is read already.
   *
   * @param archive where the file must not be; null if there is none
   */
  static void check(@Nullable Path archive, Path path) throws IOException {
    if (Files.isDirectory(path)) {
      throw new FileSystemException(path.toString(), null, "is a directory");
    }
    Path parent = path.toAbsolutePath().getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      throw new FileSystemException(path.toString(), null, "the directory does not exist");
    }
    if (archive != null && new FileTree(archive).holds(path)) {
      throw new FileSystemException(
          path.toString(), null, "is inside the archive, where kblake never writes");
    }
  }

  private OutputFile(Path target, @Nullable Path part, FileChannel channel) {
    this.target = target;
    this.part = part;
    this.channel = channel;
    this.out = new BufferedOutputStream(new NamingErrors(), BUFFER_BYTES);
    this.onExit = new Thread(this::abandon, "remove " + part);
    Runtime.getRuntime().addShutdownHook(onExit);
  }

  /** Where the content goes; buffered. */
  OutputStream out() {
    return out;
  }

  /** Lets the file appear. */
  void complete() throws IOException {
    out.flush();
    if (part != null) {
      try {
        // A full disk or a lost server may come to light only now
        channel.force(true);
      } catch (IOException e) {
        throw named(e);
      }
    }
    channel.close();
    synchronized (this) {
      if (done) {
        throw new InterruptedIOException("stopped before the file was complete: " + target);
      }
      if (part != null) {
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
      }
      done = true;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    abandon();
    try {
      Runtime.getRuntime().removeShutdownHook(onExit);
    } catch (IllegalStateException e) {
      // The JVM is going down already and runs the hook itself
    }
  }

  private synchronized void abandon() {
    if (done) {
      return;
    }
    done = true;
    try {
      if (part != null) {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      // Nothing can be done about it, and what stopped the answer is the news
    }
  }

  private IOException named(IOException error) {
    return new FileSystemException(target.toString(), null, String.valueOf(error.getMessage()));
  }

  /** Errors of a channel do not say of which file. */
  private final class NamingErrors extends FilterOutputStream {

    NamingErrors() {
      super(Channels.newOutputStream(channel));
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        out.write(bytes, from, length);
      } catch (IOException e) {
        throw named(e);
      }
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }
  }
}
