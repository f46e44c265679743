package org.kblake.server.internal.live;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;
import org.kblake.server.internal.api.JsonAnswer;
import org.kblake.server.internal.http.PublicText;

/** Writes server-sent events. Their data is one line of JSON. */
final class EventStream {

  private static final int BUFFER_BYTES = 1 << 16;

  private final OutputStream out;
  private final boolean nanos;
  private final boolean nonFiniteTexts;

  /**
   * @param body stays open
   * @param nanos whether times are texts of nanoseconds
   * @param nonFiniteTexts whether NaN and infinities are texts
   */
  EventStream(OutputStream body, boolean nanos, boolean nonFiniteTexts) {
    out = new BufferedOutputStream(body, BUFFER_BYTES);
    this.nanos = nanos;
    this.nonFiniteTexts = nonFiniteTexts;
  }

  /** The target of one JSON text, whose end does not end the stream. */
  private static final class MessageTarget extends FilterOutputStream {
    MessageTarget(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void flush() {
      // The end of a message flushes.
    }

    @Override
    public void close() {
      // The servlet closes the body.
    }
  }

  /** Writes the events of a channel. */
  void events(Channel channel, EventColumns columns) throws IOException {
    message(
        "events",
        json -> {
          json.name("channel").text(channel.name());
          json.name("group").text(channel.group().toString());
          json.name("time").array(out -> each(columns, row -> out.time(columns.timeNanos[row])));
          json.name("value").array(out -> each(columns, row -> out.value(columns, row)));
          json.name("severity")
              .array(out -> each(columns, row -> out.integer(columns.severity[row])));
          json.name("state")
              .array(
                  out -> each(columns, row -> out.text(EventState.of(columns.state[row]).text())));
        });
  }

  /** Uses a row. */
  @FunctionalInterface
  private interface RowUse {
    void use(int row) throws IOException;
  }

  private static void each(EventColumns columns, RowUse use) throws IOException {
    for (int row = 0; row < columns.count; row++) {
      use.use(row);
    }
  }

  /** Writes a fact on files that cannot be read, or can be read again. */
  void note(String text) throws IOException {
    message("note", json -> json.name("note").text(PublicText.of(text)));
  }

  /** Writes the end of the stream, and sends everything. */
  void end(boolean complete, String reason) throws IOException {
    message(
        "end",
        json -> {
          json.name("complete").bool(complete);
          json.name("reason").text(PublicText.of(reason));
        });
    flush();
  }

  private void message(String event, JsonAnswer.Content data) throws IOException {
    ascii("event: " + event + "\ndata: ");
    try (JsonAnswer json = new JsonAnswer(new MessageTarget(out), nanos, nonFiniteTexts)) {
      json.object(data);
    }
    ascii("\n\n");
  }

  /** Sends a comment, which clients ignore. */
  void heartbeat() throws IOException {
    ascii(":\n\n");
    flush();
  }

  private void ascii(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Sends everything that was written. Blocks while the client is slow. */
  void flush() throws IOException {
    out.flush();
  }
}
