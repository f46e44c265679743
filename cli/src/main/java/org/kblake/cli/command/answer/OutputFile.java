package org.kblake.cli.command.answer;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.process.BufferedOutput;
import org.kblake.core.archive.FileTree;

/**
 * A file that appears under its name when it is complete, or not at all. Until then its content is
 * in {@code .NAME.PID.part} beside it. Closing it before {@link #complete}, or Ctrl-C, removes this
 * unfinished file. A target that is not a regular file, such as {@code /dev/null} or a named pipe,
 * is written directly.
 */
public final class OutputFile implements AutoCloseable {

  private final Path target;
  private final @Nullable Path unfinished;
  private final FileChannel channel;
  private final OutputStream out;
  private final Thread onExit;
  private boolean done;

  /**
   * Creates a file.
   *
   * @param archive the archive, which the file must be outside of; null if there is none
   * @param path the path of the complete file; a link is followed
   */
  public static OutputFile create(@Nullable Path archive, Path path) throws IOException {
    check(archive, path);
    Path target = Files.isSymbolicLink(path) && Files.exists(path) ? path.toRealPath() : path;
    if (Files.exists(target) && !Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
      return new OutputFile(target, null, FileChannel.open(target, StandardOpenOption.WRITE));
    }
    String name = "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".part";
    Path unfinished = target.resolveSibling(name);
    try {
      // A link of this name, in a directory of all users, would be another user's trap
      Files.deleteIfExists(unfinished);
      FileChannel channel =
          FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      return new OutputFile(target, unfinished, channel);
    } catch (AccessDeniedException e) {
      throw new AccessDeniedException(path.toString());
    }
  }

  /**
   * Rejects a path that {@link #create} would reject. Callers check before they read anything.
   *
   * @param archive the archive, which the file must be outside of; null if there is none
   */
  public static void check(@Nullable Path archive, Path path) throws IOException {
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

  /** Returns whether a path is {@code -}, which is standard output or input. */
  public static boolean isStandardStream(@Nullable Path path) {
    return path != null && path.toString().equals("-");
  }

  private OutputFile(Path target, @Nullable Path unfinished, FileChannel channel) {
    this.target = target;
    this.unfinished = unfinished;
    this.channel = channel;
    this.out = new BufferedOutput(new NamingErrors());
    this.onExit = new Thread(this::abandon, "abandon " + unfinished);
    Runtime.getRuntime().addShutdownHook(onExit);
  }

  /** Returns the buffered stream of the content. */
  public OutputStream out() {
    return out;
  }

  /** Moves the complete file to its name. */
  public void complete() throws IOException {
    out.flush();
    if (unfinished != null) {
      try {
        // A full disk or a lost server may be reported only now
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
      if (unfinished != null) {
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
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
      // The JVM is shutting down and runs the hook itself
    }
  }

  private synchronized void abandon() {
    if (done) {
      return;
    }
    done = true;
    try {
      if (unfinished != null) {
        Files.deleteIfExists(unfinished);
      }
    } catch (IOException e) {
      // Ignored: the error that ended the answer is reported
    }
  }

  private IOException named(IOException error) {
    return new FileSystemException(target.toString(), null, String.valueOf(error.getMessage()));
  }

  /** Adds the file's path to errors of the channel, which lack it. */
  private final class NamingErrors extends FilterOutputStream implements WritableByteChannel {

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
    public int write(ByteBuffer bytes) throws IOException {
      try {
        return channel.write(bytes);
      } catch (IOException e) {
        throw named(e);
      }
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }
  }
}
