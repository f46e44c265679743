package org.kblake.core.internal.mirror;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a mirror says of its copy of one pair: the file {@code account}, replaced as a whole by a
 * rename. Numbers are big-endian, times nanoseconds since 1970 UTC:
 *
 * <pre>
 *   magic u64 "KBLAKEMR" | version u32 = 1 | closed? u32
 *   | index bytes u32 | CRC of the index u32 | index changed i64 | log changed i64
 *   | key bytes u32 | key, UTF-8
 *   | ( from u64 | to u64 | CRC of each page u32 * n ) * 2
 *   | CRC of all before u32
 * </pre>
 *
 * The first stretch holds the log's first event, the second one what is verified. What the account
 * does not speak of is not in the mirror, whatever its files hold; and bytes count only where they
 * have the checksum that it says. So nothing needs to be forced to the disk: what a power cut undid
 * is known not to be there.
 *
 * @param closed whether the pair was closed, and its log is here up to its end
 * @param indexBytes size of the index
 * @param indexChecksum CRC-32C of the index
 * @param key the log as its file system names it
 * @param head the log's first event, or nothing
 * @param verified what was read alike as often as its file system requires
 */
record CopyAccount(
    boolean closed,
    int indexBytes,
    int indexChecksum,
    FileTime indexModified,
    FileTime logModified,
    String key,
    CopiedStretch head,
    CopiedStretch verified) {

  private static final long MAGIC = 0x4B424C414B454D52L;
  private static final int VERSION = 1;
  private static final int MOST_BYTES = 16 << 20;

  /** Reads an account; null if there is no valid one. */
  static @Nullable CopyAccount read(Path file) {
    try {
      return Files.size(file) > MOST_BYTES
          ? null
          : decode(ByteBuffer.wrap(Files.readAllBytes(file)));
    } catch (IOException | BufferUnderflowException e) {
      return null;
    }
  }

  private static @Nullable CopyAccount decode(ByteBuffer in) {
    int content = in.limit() - Integer.BYTES;
    if (content < Long.BYTES + Integer.BYTES
        || in.getInt(content) != checksum(in.duplicate().limit(content))
        || in.getLong() != MAGIC
        || in.getInt() != VERSION) {
      return null;
    }
    boolean closed = in.getInt() != 0;
    int indexBytes = in.getInt();
    int indexChecksum = in.getInt();
    FileTime indexModified = FileTime.from(in.getLong(), TimeUnit.NANOSECONDS);
    FileTime logModified = FileTime.from(in.getLong(), TimeUnit.NANOSECONDS);
    int keyBytes = in.getInt();
    if (keyBytes < 0 || keyBytes > in.remaining()) {
      return null;
    }
    byte[] key = new byte[keyBytes];
    in.get(key);
    CopiedStretch head = stretch(in);
    CopiedStretch verified = stretch(in);
    return head == null || verified == null
        ? null
        : new CopyAccount(
            closed,
            indexBytes,
            indexChecksum,
            indexModified,
            logModified,
            new String(key, StandardCharsets.UTF_8),
            head,
            verified);
  }

  private static @Nullable CopiedStretch stretch(ByteBuffer in) {
    long from = in.getLong();
    long to = in.getLong();
    long mostPages = in.remaining() / Integer.BYTES;
    if (from < 0 || to < from || (to - from) / CopiedStretch.PAGE_BYTES > mostPages) {
      return null;
    }
    int[] checksums = new int[CopiedStretch.pages(from, to)];
    for (int i = 0; i < checksums.length; i++) {
      checksums[i] = in.getInt();
    }
    return new CopiedStretch(from, to, checksums);
  }

  /** Writes it beside the one that counts, and puts it into its place. */
  void write(Path file) throws IOException {
    byte[] name = key.getBytes(StandardCharsets.UTF_8);
    int pages = head.checksums().length + verified.checksums().length;
    ByteBuffer out = ByteBuffer.allocate(128 + name.length + Integer.BYTES * pages);
    out.putLong(MAGIC).putInt(VERSION).putInt(closed ? 1 : 0);
    out.putInt(indexBytes).putInt(indexChecksum);
    out.putLong(indexModified.to(TimeUnit.NANOSECONDS));
    out.putLong(logModified.to(TimeUnit.NANOSECONDS));
    out.putInt(name.length).put(name);
    put(head, out);
    put(verified, out);
    out.putInt(checksum(out.duplicate().flip())).flip();
    replace(file, out);
  }

  private static void put(CopiedStretch stretch, ByteBuffer out) {
    out.putLong(stretch.fromOffset()).putLong(stretch.toOffset());
    for (int checksum : stretch.checksums()) {
      out.putInt(checksum);
    }
  }

  /** Replaces a file as a whole. */
  static void replace(Path file, ByteBuffer content) throws IOException {
    Path written = file.resolveSibling(file.getFileName() + ".new");
    byte[] bytes = new byte[content.remaining()];
    content.duplicate().get(bytes);
    Files.write(written, bytes);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
  }

  static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate());
    return (int) crc.getValue();
  }
}
