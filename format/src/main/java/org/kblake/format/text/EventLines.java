package org.kblake.format.text;

import java.io.IOException;
import java.io.OutputStream;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;

/**
 * Writes rows as lines of text. Only whole lines are written to the stream, and an answer need not
 * end. Not thread safe. The caller closes the stream.
 */
public final class EventLines {

  private static final int FULL_BYTES = 1 << 15;

  private final OutputStream out;
  private final EventText text;
  private final TextBuffer lines = TextBuffer.inMemory();
  private long bytes;

  /** Writes the header if the format has one. */
  public EventLines(OutputStream out, LineForm form) throws IOException {
    this.out = out;
    text = new EventText(form);
    text.opening(lines);
  }

  /** Writes the rows [from, to) of one channel. */
  public void write(Channel channel, EventColumns events, int from, int to) throws IOException {
    int row = from;
    while (row < to) {
      row = text.write(channel, events, row, to, lines, FULL_BYTES);
      if (lines.position >= FULL_BYTES) {
        drain();
      }
    }
  }

  /** Writes the value that a channel held: the event that set it, with another state. */
  public void writeHeld(Channel channel, EventColumns event, EventState state) throws IOException {
    text.writeHeld(channel, event, state, lines);
    if (lines.position >= FULL_BYTES) {
      drain();
    }
  }

  /** Writes the buffered lines to the stream in one write. */
  private void drain() throws IOException {
    int length = lines.position;
    lines.position = 0;
    bytes += length;
    out.write(lines.bytes, 0, length);
  }

  /** Returns the bytes written to the stream so far. */
  long bytes() {
    return bytes;
  }

  /** Writes the buffered lines, and flushes the stream. */
  public void flush() throws IOException {
    drain();
    out.flush();
  }

  /** Ends the answer, and flushes the stream. */
  public void finish() throws IOException {
    text.closing(lines);
    flush();
  }
}
