package org.kblake.core.internal.mirror;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The description of a mirror's copy of one pair. It is stored in the file {@code account}, which
 * is replaced as a whole by a rename. Numbers are big-endian. Times are nanoseconds since 1970 UTC.
 *
 * <pre>
 *   magic u64 "KBLAKEMR" | version u32 = 1 | closed? u32
 *   | index bytes u32 | CRC of the index u32 | index changed i64 | log changed i64
 *   | key bytes u32 | key, UTF-8
 *   | ( from u64 | to u64 | CRC of each page u32 * n ) * 2
 *   | CRC of all before u32
 * </pre>
 *
 * The first span contains the log's first event. The second span contains the verified bytes. Only
 * bytes that the account lists with a matching checksum belong to the mirror, whatever else its
 * files contain. So no file needs to be forced to the disk: after a power cut, the checksums of
 * lost bytes do not match.
 *
 * @param closed whether the pair was closed and its log was copied up to its end
 * @param indexBytes size of the index
 * @param indexChecksum CRC-32C of the index
 * @param key the identity of the log in its file system
 * @param head the span with the log's first event, or an empty span
 * @param verified the span whose bytes were equal in as many reads as its file system requires
 */
record CopyAccount(
    boolean closed,
    int indexBytes,
    int indexChecksum,
    FileTime indexModified,
    FileTime logModified,
    String key,
    CopiedSpan head,
    CopiedSpan verified) {

  private static final long MAGIC = 0x4B424C414B454D52L;
  private static final int VERSION = 1;
  private static final int MAX_BYTES = 16 << 20;

  /**
   * Reads an account. Returns null if the file is missing or not valid.
   *
   * @throws IOException if the file cannot be read
   */
  static @Nullable CopyAccount read(Path file) throws IOException {
    try {
      return Files.size(file) > MAX_BYTES
          ? null
          : decode(ByteBuffer.wrap(Files.readAllBytes(file)));
    } catch (NoSuchFileException | BufferUnderflowException e) {
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
    CopiedSpan head = span(in);
    CopiedSpan verified = span(in);
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

  private static @Nullable CopiedSpan span(ByteBuffer in) {
    long from = in.getLong();
    long to = in.getLong();
    long mostPages = in.remaining() / Integer.BYTES;
    if (from < 0 || to < from || (to - from) / CopiedSpan.PAGE_BYTES > mostPages) {
      return null;
    }
    int[] checksums = new int[CopiedSpan.pages(from, to)];
    for (int i = 0; i < checksums.length; i++) {
      checksums[i] = in.getInt();
    }
    return new CopiedSpan(from, to, checksums);
  }

  /** Replaces the account file. */
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

  private static void put(CopiedSpan span, ByteBuffer out) {
    out.putLong(span.fromOffset()).putLong(span.toOffset());
    for (int checksum : span.checksums()) {
      out.putInt(checksum);
    }
  }

  /** Replaces a file as a whole: writes a new file beside it, and renames that. */
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
