package org.kblake.core.internal.mirror;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the copy of one pair. Bytes are written into the files first. Readers use them after
 * {@link #account} has listed them. If the process is killed before, the previous account stays
 * valid. For one thread.
 */
public final class CopyWriter {

  private final CopyFiles files;
  private CopiedSpan head = CopiedSpan.NOTHING;
  private CopiedSpan verified = CopiedSpan.NOTHING;
  private @Nullable CopyAccount written;

  private CopyWriter(CopyFiles files) {
    this.files = files;
  }

  /**
   * Continues the copy that an earlier process wrote, if all its checksums are correct.
   *
   * @param key the present identity of the log in its file system
   * @return null if there is no copy that can be continued
   */
  public static @Nullable CopyWriter resume(CopyFiles files, String key) throws IOException {
    PairCopy copy = PairCopy.open(files);
    if (copy == null || !copy.key().equals(key) || !isProved(files, copy)) {
      return null;
    }
    CopyWriter writer = new CopyWriter(files);
    writer.head = copy.account().head();
    writer.verified = copy.account().verified();
    writer.written = copy.account();
    return writer;
  }

  private static boolean isProved(CopyFiles files, PairCopy copy) throws IOException {
    CopyAccount account = copy.account();
    ByteBuffer read = ByteBuffer.allocate(CopiedSpan.PAGE_BYTES);
    try (CopyReader reader = new CopyReader(files, account)) {
      for (CopiedSpan span : new CopiedSpan[] {account.head(), account.verified()}) {
        for (int page = 0; page < span.checksums().length; page++) {
          int bytes = span.pageBytes(page);
          if (reader.read(read.clear().limit(bytes), span.pageOffset(page)) < bytes) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /**
   * Begins a new copy. Existing files of the pair's copy are removed.
   *
   * @param fromOffset the offset in the log where the copy will begin, a multiple of {@link
   *     CopyFiles#FILE_BYTES}
   */
  public static CopyWriter begin(CopyFiles files, long fromOffset) throws IOException {
    files.delete();
    Files.createDirectories(files.directory());
    CopyWriter writer = new CopyWriter(files);
    writer.verified = new CopiedSpan(fromOffset, fromOffset, new int[0]);
    return writer;
  }

  /** Returns the begin of the verified span, which ends at {@link #toOffset}. */
  public long fromOffset() {
    return verified.fromOffset();
  }

  /** Returns the end of the verified span. */
  public long toOffset() {
    return verified.toOffset();
  }

  /** Returns whether the copy contains the log's first event, or begins with it. */
  public boolean hasHead() {
    return verified.fromOffset() == 0 || head.toOffset() > 0;
  }

  /** Writes bytes of the log at an offset. */
  public void put(ByteBuffer bytes, long offset) throws IOException {
    long at = offset;
    while (bytes.hasRemaining()) {
      long within = at % CopyFiles.FILE_BYTES;
      int count = (int) Math.min(bytes.remaining(), CopyFiles.FILE_BYTES - within);
      try (FileChannel channel =
          FileChannel.open(files.log(at), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        ByteBuffer inFile = bytes.slice(bytes.position(), count);
        while (inFile.hasRemaining()) {
          channel.write(inFile, within + inFile.position());
        }
      }
      bytes.position(bytes.position() + count);
      at += count;
    }
  }

  /**
   * Reads written bytes, whether or not an account lists them.
   *
   * @return false if some of them were not written
   */
  public boolean get(ByteBuffer into, long offset) throws IOException {
    long at = offset;
    while (into.hasRemaining()) {
      long within = at % CopyFiles.FILE_BYTES;
      int count = (int) Math.min(into.remaining(), CopyFiles.FILE_BYTES - within);
      Path file = files.log(at);
      if (!Files.exists(file)) {
        return false;
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        ByteBuffer inFile = into.slice(into.position(), count);
        while (inFile.hasRemaining()) {
          if (channel.read(inFile, within + inFile.position()) < 0) {
            return false;
          }
        }
      }
      into.position(into.position() + count);
      at += count;
    }
    return true;
  }

  /** Records that the log's first event was written. */
  public void head(int bytes) throws IOException {
    head = span(new CopiedSpan(0, 0, new int[0]), bytes);
  }

  /**
   * Records that the written bytes are verified up to an offset. It may be lower than the previous
   * one.
   */
  public void verified(long toOffset) throws IOException {
    verified = span(verified, toOffset);
  }

  /**
   * Returns a span with another end. The checksums of complete pages are kept, other pages are
   * read.
   */
  private CopiedSpan span(CopiedSpan before, long toOffset) throws IOException {
    long from = before.fromOffset();
    int[] checksums = Arrays.copyOf(before.checksums(), CopiedSpan.pages(from, toOffset));
    CopiedSpan after = new CopiedSpan(from, toOffset, checksums);
    long same = Math.min(before.toOffset(), toOffset) - from;
    ByteBuffer page = ByteBuffer.allocate(CopiedSpan.PAGE_BYTES);
    for (int i = (int) (same / CopiedSpan.PAGE_BYTES); i < checksums.length; i++) {
      page.clear().limit(after.pageBytes(i));
      if (!get(page, after.pageOffset(i))) {
        throw new IOException("written bytes are missing: file=" + files.directory());
      }
      checksums[i] = CopyAccount.checksum(page.flip());
    }
    return after;
  }

  /**
   * Drops the bytes before an offset. Readers use them until the account is written.
   *
   * @param offset a multiple of {@link CopyFiles#FILE_BYTES}, within the verified span
   */
  public void from(long offset) {
    int pages = (int) ((offset - verified.fromOffset()) / CopiedSpan.PAGE_BYTES);
    int[] all = verified.checksums();
    verified =
        new CopiedSpan(offset, verified.toOffset(), Arrays.copyOfRange(all, pages, all.length));
  }

  /**
   * Writes the account, which makes all changes since the previous account visible to readers.
   *
   * @param index the whole index
   * @param closed whether the log ends at the end of the verified span
   */
  public void account(
      ByteBuffer index, FileTime indexModified, FileTime logModified, String key, boolean closed)
      throws IOException {
    int checksum = CopyAccount.checksum(index);
    CopyAccount account =
        new CopyAccount(
            closed, index.remaining(), checksum, indexModified, logModified, key, head, verified);
    CopyAccount before = written;
    boolean sameIndex =
        before != null
            && before.indexChecksum() == checksum
            && before.indexBytes() == index.remaining();
    if (!sameIndex) {
      CopyAccount.replace(files.index(checksum), index);
    }
    account.write(files.account());
    written = account;
    if (!sameIndex) {
      files.deleteIndexesBut(checksum);
    }
    if (before != null && before.verified().fromOffset() < verified.fromOffset()) {
      long headEnd =
          (head.toOffset() + CopyFiles.FILE_BYTES - 1)
              / CopyFiles.FILE_BYTES
              * CopyFiles.FILE_BYTES;
      files.deleteLog(headEnd, verified.fromOffset());
    }
  }
}
