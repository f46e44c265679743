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
 * Reads the spans that an account lists, page by page. A page whose checksum differs from that in
 * the account counts as missing. For one thread.
 */
final class CopyReader implements LogCopy.Reader {

  private final CopyFiles files;
  private final List<CopiedSpan> spans;
  private final ByteBuffer page = ByteBuffer.allocate(CopiedSpan.PAGE_BYTES);
  private long pageOffset = -1;
  private @Nullable FileChannel log;
  private long fileOffset = -1;

  CopyReader(CopyFiles files, CopyAccount account) {
    this.files = files;
    // The first event may be in the verified span, too.
    spans = List.of(account.verified(), account.head());
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
    for (CopiedSpan span : spans) {
      if (span.holds(offset) && load(span, span.page(offset))) {
        return true;
      }
    }
    return false;
  }

  private boolean load(CopiedSpan span, int number) throws IOException {
    pageOffset = -1;
    long offset = span.pageOffset(number);
    page.clear().limit(span.pageBytes(number));
    try {
      FileChannel channel = log(offset);
      long at = offset - fileOffset;
      while (page.hasRemaining()) {
        int count = channel.read(page, at + page.position());
        if (count < 0) {
          return false;
        }
      }
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      // The writer deleted the file, or the disk fails. The caller reads the archive instead.
      return false;
    }
    if (CopyAccount.checksum(page.flip()) != span.checksums()[number]) {
      return false;
    }
    pageOffset = offset;
    return true;
  }

  private FileChannel log(long offset) throws IOException {
    long begin = offset / CopyFiles.FILE_BYTES * CopyFiles.FILE_BYTES;
    FileChannel open = log;
    if (open == null || begin != fileOffset) {
      close();
      open = FileChannel.open(files.log(begin), StandardOpenOption.READ);
      log = open;
      fileOffset = begin;
    }
    return open;
  }

  @Override
  public void close() throws IOException {
    FileChannel open = log;
    log = null;
    if (open != null) {
      open.close();
    }
  }
}
