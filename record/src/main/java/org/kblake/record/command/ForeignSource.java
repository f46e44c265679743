package org.kblake.record.command;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.RequestException;
import org.kblake.record.importing.ImportSource;
import org.kblake.record.importing.SourceChannel;
import org.kblake.record.importing.SourceEvent;

/**
 * A source whose faults say that they are its own. All other faults of an import are those of the
 * archive that it writes.
 */
record ForeignSource(ImportSource source) implements ImportSource {

  /** A read of the source. */
  @FunctionalInterface
  interface Read<T> {
    T run() throws IOException, InterruptedException;
  }

  /**
   * Reads.
   *
   * @throws RequestException if the source has a fault
   */
  static <T> T read(Read<T> read) throws IOException, InterruptedException {
    try {
      return read.run();
    } catch (IOException e) {
      throw explained(e);
    }
  }

  /** Returns an interrupt as it is. */
  private static IOException explained(IOException error) {
    if (error instanceof InterruptedIOException || error instanceof ClosedByInterruptException) {
      return error;
    }
    throw new RequestException(
        "source cannot be read: " + ErrorLine.of(error) + "; " + ImportWork.ADVICE);
  }

  @Override
  public List<SourceChannel> channels() {
    return source.channels();
  }

  @Override
  public @Nullable SourceEvent next() throws IOException {
    try {
      return source.next();
    } catch (IOException e) {
      throw explained(e);
    }
  }

  @Override
  public long work() {
    return source.work();
  }

  @Override
  public void close() throws IOException {
    try {
      source.close();
    } catch (IOException e) {
      throw explained(e);
    }
  }
}
