package org.kblake.record.group;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.record.log.LogFiles;
import org.kblake.record.log.WrittenFile;

/** The disk, with a limit of its room, syncs that fail, and a journal of what is written. */
final class FailingFiles implements LogFiles {

  /**
   * A step of the journal: a created file, bytes at the end of a file, a sync of it or of names.
   */
  record Step(Path file, String what, byte[] bytes) {}

  final List<Step> steps = Collections.synchronizedList(new ArrayList<>());

  /** The bytes that may still be written. */
  volatile long roomBytes = Long.MAX_VALUE;

  volatile boolean failsToSync;

  /** Called before a file is written, synced, or created: it may fail or take long. */
  volatile Trouble writing = file -> {};

  volatile Trouble syncing = file -> {};

  volatile Trouble creating = file -> {};

  /** Called before names of a directory are read. */
  volatile Trouble listing = directory -> {};

  Trouble locking = file -> {};

  Trouble closing = file -> {};

  /** What may happen to a file. */
  interface Trouble {
    void meet(Path file) throws IOException;
  }

  @Override
  public WrittenFile create(Path file) throws IOException {
    creating.meet(file);
    if (roomBytes == 0) {
      throw new IOException("Read-only file system");
    }
    WrittenFile real = DISK.create(file);
    steps.add(new Step(file, "create", new byte[0]));
    return new WrittenFile() {
      @Override
      public void write(ByteBuffer bytes, long offset) throws IOException {
        writing.meet(file);
        writeSome(bytes, offset);
      }

      private synchronized void writeSome(ByteBuffer bytes, long offset) throws IOException {
        int some = (int) Math.min(roomBytes, bytes.remaining());
        byte[] written = new byte[some];
        bytes.duplicate().get(written);
        steps.add(new Step(file, "write", written));
        real.write(bytes.duplicate().limit(bytes.position() + some), offset);
        takeRoom(some);
        bytes.position(bytes.position() + some);
        if (bytes.hasRemaining()) {
          throw new IOException("No space left on device");
        }
      }

      @Override
      public void force() throws IOException {
        syncing.meet(file);
        if (failsToSync) {
          throw new IOException("Input/output error");
        }
        steps.add(new Step(file, "force", new byte[0]));
        real.force();
      }

      @Override
      public void close() throws IOException {
        real.close();
        closing.meet(file);
      }
    };
  }

  private synchronized void takeRoom(long bytes) {
    roomBytes -= roomBytes == Long.MAX_VALUE ? 0 : bytes;
  }

  /** Returns the steps of files whose name has an end, without bytes. */
  List<String> what(String... ends) {
    return steps.stream()
        .filter(step -> Arrays.stream(ends).anyMatch(end -> step.file().toString().endsWith(end)))
        .map(step -> step.what() + " " + step.file().toString().replaceAll(".*\\.", ""))
        .toList();
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    DISK.createDirectory(directory);
  }

  @Override
  public void discard(Path file) {
    takeRoom(-file.toFile().length());
    DISK.discard(file);
  }

  @Override
  public long changedMillis(Path directory) throws IOException {
    listing.meet(directory);
    return DISK.changedMillis(directory);
  }

  @Override
  public List<String> names(Path directory) throws IOException {
    listing.meet(directory);
    return DISK.names(directory);
  }

  @Override
  public long bytes(Path file) throws IOException {
    return DISK.bytes(file);
  }

  @Override
  public void force(Path directory) throws IOException {
    steps.add(new Step(directory, "force names", new byte[0]));
    DISK.force(directory);
  }

  @Override
  public @Nullable Closeable lock(Path file) throws IOException {
    locking.meet(file);
    return DISK.lock(file);
  }
}
