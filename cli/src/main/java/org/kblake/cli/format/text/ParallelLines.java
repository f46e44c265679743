package org.kblake.cli.format.text;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;

/**
 * The lines of an answer that may be long: the first as {@link EventLines}, and if there are many,
 * by up to four threads, since to make a line takes several times as long as to read its row. Not
 * thread safe; the stream below stays the caller's.
 */
public final class ParallelLines implements Closeable {

  /** A shorter answer is done before threads would help: they take some time to begin. */
  private static final long LONG_BYTES = 64L << 20;

  /** One thread reads and writes, and cannot keep more busy. */
  private static final int MOST_HELPERS = 3;

  private final OutputStream out;
  private final LineForm form;
  private final EventLines first;
  private final long longBytes;
  private final int helpers;
  private @Nullable BatchedLines batched;

  /** Begins with the header, if the format has one. */
  public ParallelLines(OutputStream out, LineForm form) throws IOException {
    this(
        out,
        form,
        LONG_BYTES,
        Math.min(MOST_HELPERS, Runtime.getRuntime().availableProcessors() - 1));
  }

  /**
   * @param longBytes behind so many bytes of text threads help
   * @param helpers how many, besides the caller's
   */
  ParallelLines(OutputStream out, LineForm form, long longBytes, int helpers) throws IOException {
    this.out = out;
    this.form = form;
    this.longBytes = longBytes;
    this.helpers = helpers;
    first = new EventLines(out, form);
  }

  /** Writes the rows [from, to) of one channel; they may change afterwards. */
  public void write(Channel channel, EventColumns events, int from, int to) throws IOException {
    if (batched != null) {
      batched.write(channel, events, from, to);
      return;
    }
    first.write(channel, events, from, to);
    if (first.bytes() >= longBytes && helpers > 0) {
      first.flush();
      batched = new BatchedLines(out, form, helpers);
    }
  }

  /** Hands everything to whoever reads it. */
  public void flush() throws IOException {
    if (batched == null) {
      first.flush();
    } else {
      batched.flush();
    }
  }

  /** Ends the answer, and hands everything to whoever reads it. */
  public void finish() throws IOException {
    if (batched != null) {
      batched.flush();
    }
    first.finish();
  }

  /** Ends the threads; writes nothing. */
  @Override
  public void close() {
    if (batched != null) {
      batched.close();
    }
  }
}
