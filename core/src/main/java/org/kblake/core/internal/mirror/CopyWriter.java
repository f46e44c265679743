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
 * Writes the copy of one pair. Bytes are put into their places first and count once {@link
 * #account} has spoken of them; a kill in between leaves what the account before said. For one
 * thread.
 */
public final class CopyWriter {

  private final CopyFiles files;
  private CopiedStretch head = CopiedStretch.NOTHING;
  private CopiedStretch verified = CopiedStretch.NOTHING;
  private @Nullable CopyAccount written;

  private CopyWriter(CopyFiles files) {
    this.files = files;
  }

  /**
   * Goes on with what a process before has left, as far as it is proved by its checksums.
   *
   * @param key of the log as it is now
   * @return null if nothing is there that can be continued with
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
    ByteBuffer piece = ByteBuffer.allocate(CopiedStretch.PAGE_BYTES);
    try (CopyReader reader = new CopyReader(files, account)) {
      for (CopiedStretch stretch : new CopiedStretch[] {account.head(), account.verified()}) {
        for (int page = 0; page < stretch.checksums().length; page++) {
          int bytes = stretch.pageBytes(page);
          if (reader.read(piece.clear().limit(bytes), stretch.pageOffset(page)) < bytes) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /**
   * Starts again; existing copies of the pair are removed.
   *
   * @param fromOffset from where on the log will be copied, a multiple of {@link
   *     CopyFiles#PIECE_BYTES}
   */
  public static CopyWriter begin(CopyFiles files, long fromOffset) throws IOException {
    files.delete();
    Files.createDirectories(files.directory());
    CopyWriter writer = new CopyWriter(files);
    writer.verified = new CopiedStretch(fromOffset, fromOffset, new int[0]);
    return writer;
  }

  /** Where the log is held from, up to {@link #toOffset}. */
  public long fromOffset() {
    return verified.fromOffset();
  }

  /** The end of what is verified. */
  public long toOffset() {
    return verified.toOffset();
  }

  /** Whether the log's first event is held, or lies in what is copied. */
  public boolean hasHead() {
    return verified.fromOffset() == 0 || head.toOffset() > 0;
  }

  /** Puts bytes of the log into their place. */
  public void put(ByteBuffer bytes, long offset) throws IOException {
    long at = offset;
    while (bytes.hasRemaining()) {
      long within = at % CopyFiles.PIECE_BYTES;
      int count = (int) Math.min(bytes.remaining(), CopyFiles.PIECE_BYTES - within);
      try (FileChannel channel =
          FileChannel.open(files.piece(at), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        ByteBuffer part = bytes.slice(bytes.position(), count);
        while (part.hasRemaining()) {
          channel.write(part, within + part.position());
        }
      }
      bytes.position(bytes.position() + count);
      at += count;
    }
  }

  /**
   * Reads bytes back, whether they count or not.
   *
   * @return whether all of them were there
   */
  public boolean get(ByteBuffer into, long offset) throws IOException {
    long at = offset;
    while (into.hasRemaining()) {
      long within = at % CopyFiles.PIECE_BYTES;
      int count = (int) Math.min(into.remaining(), CopyFiles.PIECE_BYTES - within);
      Path piece = files.piece(at);
      if (!Files.exists(piece)) {
        return false;
      }
      try (FileChannel channel = FileChannel.open(piece, StandardOpenOption.READ)) {
        ByteBuffer part = into.slice(into.position(), count);
        while (part.hasRemaining()) {
          if (channel.read(part, within + part.position()) < 0) {
            return false;
          }
        }
      }
      into.position(into.position() + count);
      at += count;
    }
    return true;
  }

  /** Says that the log's first event was put into its place. */
  public void head(int bytes) throws IOException {
    head = stretch(new CopiedStretch(0, 0, new int[0]), bytes);
  }

  /** Says that what was put is verified up to an offset, be it less than before. */
  public void verified(long toOffset) throws IOException {
    verified = stretch(verified, toOffset);
  }

  /** Another end; of pages that were whole nothing is read again. */
  private CopiedStretch stretch(CopiedStretch before, long toOffset) throws IOException {
    long from = before.fromOffset();
    int[] checksums = Arrays.copyOf(before.checksums(), CopiedStretch.pages(from, toOffset));
    CopiedStretch after = new CopiedStretch(from, toOffset, checksums);
    long same = Math.min(before.toOffset(), toOffset) - from;
    ByteBuffer page = ByteBuffer.allocate(CopiedStretch.PAGE_BYTES);
    for (int i = (int) (same / CopiedStretch.PAGE_BYTES); i < checksums.length; i++) {
      page.clear().limit(after.pageBytes(i));
      if (!get(page, after.pageOffset(i))) {
        throw new IOException("written bytes are missing: file=" + files.directory());
      }
      checksums[i] = CopyAccount.checksum(page.flip());
    }
    return after;
  }

  /**
   * Lets go of what lies before an offset. It counts until the account is written.
   *
   * @param offset a multiple of {@link CopyFiles#PIECE_BYTES}, within what is held
   */
  public void from(long offset) {
    int pages = (int) ((offset - verified.fromOffset()) / CopiedStretch.PAGE_BYTES);
    int[] all = verified.checksums();
    verified =
        new CopiedStretch(offset, verified.toOffset(), Arrays.copyOfRange(all, pages, all.length));
  }

  /**
   * Writes the account: from now on readers have what was said since the last one.
   *
   * @param index the whole index
   * @param closed whether the log ends where it is verified
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
          (head.toOffset() + CopyFiles.PIECE_BYTES - 1)
              / CopyFiles.PIECE_BYTES
              * CopyFiles.PIECE_BYTES;
      files.deletePieces(headEnd, verified.fromOffset());
    }
  }
}
