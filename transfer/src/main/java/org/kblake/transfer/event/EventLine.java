package org.kblake.transfer.event;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.kblake.transfer.line.Line;
import org.kblake.transfer.message.EventCodec;
import org.kblake.transfer.message.EventMessage;

/**
 * A control connection. One thread reads. Any thread sends without waiting for the peer: a thread
 * of the connection writes.
 */
final class EventLine implements Closeable {

  /** The most messages that wait. A peer that takes none for so long is lost. */
  private static final int QUEUED = 4096;

  private final Line line;
  private final InputStream in;
  private final BlockingQueue<ByteBuffer> queue = new ArrayBlockingQueue<>(QUEUED);
  private final Thread writer;

  EventLine(Line line) throws IOException {
    this.line = line;
    in = new BufferedInputStream(line.input());
    writer = new Thread(this::write, "kblake-event-control");
    writer.setDaemon(true);
    writer.start();
  }

  /** Reads the next message, with the timeout of the connection. */
  EventMessage read() throws IOException {
    return EventCodec.read(in);
  }

  /**
   * Sends a message. If the peer does not take its messages, the connection is closed, which the
   * reading thread notices.
   */
  void send(EventMessage message) throws IOException {
    if (!queue.offer(EventCodec.encode(message))) {
      close();
    }
  }

  private void write() {
    try {
      ByteBuffer next = queue.take();
      while (next.hasRemaining()) {
        line.write(next);
        next = queue.take();
      }
    } catch (IOException | InterruptedException e) {
      closeQuietly();
    }
  }

  String peer() {
    return line.peer();
  }

  void closeQuietly() {
    try {
      line.close();
    } catch (IOException e) {
      // It is of no use any more.
    }
  }

  /** Sends what waits, for at most the time, and closes. */
  void finish(long millis) throws IOException, InterruptedException {
    if (queue.offer(ByteBuffer.allocate(0))) {
      writer.join(millis);
    }
    close();
  }

  @Override
  public void close() throws IOException {
    writer.interrupt();
    line.close();
  }
}
