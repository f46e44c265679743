package org.kblake.transfer.event;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.kblake.transfer.line.Line;
import org.kblake.transfer.message.EventCodec;
import org.kblake.transfer.message.EventMessage;
import org.kblake.transfer.message.EventMessage.Assign;

/**
 * A control connection. One thread reads. Any thread sends without waiting for the peer: a thread
 * of the connection writes.
 */
final class EventLine implements Closeable {

  /** The most messages, and bytes, that wait. A peer that takes none for so long is lost. */
  private static final int QUEUED = 4096;

  private static final long QUEUED_BYTES = 16L << 20;

  /** A side that has nothing to say says that it lives. */
  private static final long BEAT_MILLIS = 500;

  private final Line line;
  private final InputStream in;
  private final BlockingQueue<ByteBuffer> queue = new ArrayBlockingQueue<>(QUEUED);
  private final AtomicLong bytes = new AtomicLong();
  private final ByteBuffer beat;
  private final Thread writer;

  EventLine(Line line) throws IOException {
    this.line = line;
    in = new BufferedInputStream(line.input());
    beat = EventCodec.encode(new Assign(List.of()));
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
    send(EventCodec.encode(message));
  }

  /** Sends a message that is encoded once for several connections. */
  void send(ByteBuffer encoded) throws IOException {
    ByteBuffer own = encoded.duplicate();
    if (bytes.addAndGet(own.remaining()) > QUEUED_BYTES || !queue.offer(own)) {
      close();
    }
  }

  private void write() {
    try {
      ByteBuffer next = queue.take();
      while (next.hasRemaining()) {
        int size = next.remaining();
        line.write(next);
        bytes.addAndGet(-size);
        next = queue.poll(BEAT_MILLIS, TimeUnit.MILLISECONDS);
        if (next == null) {
          next = beat.duplicate();
          bytes.addAndGet(next.remaining());
        }
      }
    } catch (IOException | InterruptedException e) {
      // The reading thread tells.
    } finally {
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

  /** Lets the connection be closed when what waits is sent. */
  void end() {
    if (!queue.offer(ByteBuffer.allocate(0))) {
      closeQuietly();
    }
  }

  /** Sends what waits, for at most the time, and closes. */
  void finish(long millis) throws IOException, InterruptedException {
    end();
    writer.join(millis);
    close();
  }

  @Override
  public void close() throws IOException {
    writer.interrupt();
    line.close();
  }
}
