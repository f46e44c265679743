package org.kblake.cli.doctor;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A measurement of writing.
 *
 * @param fsyncNanos the median time of an fsync of 4 KiB
 * @param bytes the bytes of the long write; 0 if it was not made
 * @param nanos the time of the long write, with its fsync
 */
record DiskMeasurement(long fsyncNanos, long bytes, long nanos) {

  static final String PREFIX = "kblake-doctor-";

  static final long LARGEST_BYTES = 64L << 20;

  private static final int FSYNCS = 15;
  private static final int FSYNC_BYTES = 4 << 10;
  private static final int WRITE_BYTES = 1 << 20;
  private static final long FSYNC_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long WRITE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(3);

  /**
   * Measures in a new file. The file has a name only while fsyncs are measured, because some file
   * systems do not write a file without a name. After that nothing remains even if the process is
   * killed. An interrupt ends the measurement and removes the file.
   *
   * @param mostBytes the size of the long write; it also ends after three seconds
   */
  static DiskMeasurement in(Path directory, long mostBytes) throws IOException {
    Path file = Files.createTempFile(directory, PREFIX, ".tmp");
    boolean named = true;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      long fsyncNanos = fsyncNanos(channel);
      Files.delete(file);
      named = false;
      long begin = System.nanoTime();
      long bytes = write(channel, mostBytes, begin);
      return new DiskMeasurement(fsyncNanos, bytes, System.nanoTime() - begin);
    } finally {
      if (named) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static long fsyncNanos(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(FSYNC_BYTES);
    fill(bytes);
    long[] nanos = new long[FSYNCS];
    int count = 0;
    long begin = System.nanoTime();
    while (count < FSYNCS && (count == 0 || System.nanoTime() - begin < FSYNC_LIMIT_NANOS)) {
      bytes.clear();
      long before = System.nanoTime();
      writeAll(channel, bytes);
      channel.force(true);
      nanos[count++] = System.nanoTime() - before;
    }
    Arrays.sort(nanos, 0, count);
    return nanos[count / 2];
  }

  private static long write(FileChannel channel, long mostBytes, long begin) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(WRITE_BYTES);
    fill(bytes);
    long written = 0;
    while (written < mostBytes && System.nanoTime() - begin < WRITE_LIMIT_NANOS) {
      if (Thread.interrupted()) {
        throw new InterruptedIOException();
      }
      // Equal writes could be stored once
      bytes.clear().putLong(0, written);
      writeAll(channel, bytes);
      written += WRITE_BYTES;
    }
    channel.force(true);
    return written;
  }

  /** Fills a buffer with bytes that a file system cannot compress. */
  private static void fill(ByteBuffer bytes) {
    byte[] random = new byte[bytes.capacity()];
    new Random(1).nextBytes(random);
    bytes.put(random);
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      int unused = channel.write(bytes);
    }
  }
}
