package org.kblake.format.text;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;

/**
 * Writes the lines of an answer that may be long. The first lines are written by {@link
 * EventLines}. Further lines are formatted by up to four threads, because formatting a line takes
 * several times as long as reading its row. Not thread safe. The caller closes the stream.
 */
public final class ParallelLines implements Closeable {

  /**
   * The length from which threads help. A shorter answer ends before threads, which take some time
   * to start, would help.
   */
  private static final long LONG_BYTES = 64L << 20;

  /**
   * The maximum number of helpers. One thread reads and writes, and cannot keep more of them busy.
   */
  private static final int MAX_HELPERS = 3;

  private final OutputStream out;
  private final LineForm form;
  private final EventLines first;
  private final long longBytes;
  private final int helpers;
  private @Nullable BatchedLines batched;

  /** Writes the header if the format has one. */
  public ParallelLines(OutputStream out, LineForm form) throws IOException {
    this(
        out,
        form,
        LONG_BYTES,
        Math.min(MAX_HELPERS, Runtime.getRuntime().availableProcessors() - 1));
  }

  /**
   * @param longBytes the length of the text in bytes after which threads help
   * @param helpers the number of threads besides the caller's
   */
  ParallelLines(OutputStream out, LineForm form, long longBytes, int helpers) throws IOException {
    this.out = out;
    this.form = form;
    this.longBytes = longBytes;
    this.helpers = helpers;
    first = new EventLines(out, form);
  }

  /** Writes the rows [from, to) of one channel. The caller may change them afterwards. */
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

  /**
   * Writes the value that a channel held, as {@link EventLines#writeHeld} does. These lines precede
   * all others.
   */
  public void writeHeld(Channel channel, EventColumns event, EventState state) throws IOException {
    first.writeHeld(channel, event, state);
  }

  /** Ends the answer, and flushes the stream. */
  public void finish() throws IOException {
    if (batched != null) {
      batched.flush();
    }
    first.finish();
  }

  /** Ends the threads. Writes nothing. */
  @Override
  public void close() {
    if (batched != null) {
      batched.close();
    }
  }
}
