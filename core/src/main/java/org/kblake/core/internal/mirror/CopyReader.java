package org.kblake.core.internal.mirror;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogCopy;

/**
 * Reads the stretches that an account lists, page by page. A page whose checksum differs from that
 * in the account counts as missing. For one thread.
 */
final class CopyReader implements LogCopy.Reader {

  private final CopyFiles files;
  private final List<CopiedStretch> stretches;
  private final ByteBuffer page = ByteBuffer.allocate(CopiedStretch.PAGE_BYTES);
  private long pageOffset = -1;
  private @Nullable FileChannel piece;
  private long pieceOffset = -1;

  CopyReader(CopyFiles files, CopyAccount account) {
    this.files = files;
    // The first event may be in the verified stretch, too.
    stretches = List.of(account.verified(), account.head());
  }

  @Override
  public int read(ByteBuffer into, long offset) throws IOException {
    int bytes = 0;
    while (into.hasRemaining() && loadPageOf(offset + bytes)) {
      int at = (int) (offset + bytes - pageOffset);
      int count = Math.min(into.remaining(), page.limit() - at);
      into.put(page.array(), at, count);
      bytes += count;
    }
    return bytes;
  }

  /** Loads the page of an offset. Returns false if the copy does not contain it. */
  private boolean loadPageOf(long offset) throws IOException {
    if (pageOffset >= 0 && offset >= pageOffset && offset < pageOffset + page.limit()) {
      return true;
    }
    for (CopiedStretch stretch : stretches) {
      if (stretch.holds(offset) && load(stretch, stretch.page(offset))) {
        return true;
      }
    }
    return false;
  }

  private boolean load(CopiedStretch stretch, int number) throws IOException {
    pageOffset = -1;
    long offset = stretch.pageOffset(number);
    page.clear().limit(stretch.pageBytes(number));
    try {
      FileChannel channel = piece(offset);
      long at = offset - pieceOffset;
      while (page.hasRemaining()) {
        int count = channel.read(page, at + page.position());
        if (count < 0) {
          return false;
        }
      }
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      // The writer deleted the piece, or the disk fails. The caller reads the archive instead.
      return false;
    }
    if (CopyAccount.checksum(page.flip()) != stretch.checksums()[number]) {
      return false;
    }
    pageOffset = offset;
    return true;
  }

  private FileChannel piece(long offset) throws IOException {
    long begin = offset / CopyFiles.PIECE_BYTES * CopyFiles.PIECE_BYTES;
    FileChannel open = piece;
    if (open == null || begin != pieceOffset) {
      close();
      open = FileChannel.open(files.piece(begin), StandardOpenOption.READ);
      piece = open;
      pieceOffset = begin;
    }
    return open;
  }

  @Override
  public void close() throws IOException {
    FileChannel open = piece;
    piece = null;
    if (open != null) {
      open.close();
    }
  }
}
