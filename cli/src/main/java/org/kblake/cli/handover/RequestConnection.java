package org.kblake.cli.handover;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FirstFailure;

/**
 * A request to the process that has locked a store. To close it is to cancel it. One thread uses
 * it; an interrupt of this thread ends its waits.
 */
public final class RequestConnection implements Closeable {

  /** The limit of an answer: a thousand problems with a long path each. */
  private static final int MAX_ANSWER_BYTES = 1 << 24;

  private final SocketChannel channel;
  private final Selector selector = Selector.open();
  private final JsonLines lines;

  private RequestConnection(SocketChannel channel, HandoverRequest request) throws IOException {
    this.channel = channel;
    lines = new JsonLines(channel, MAX_ANSWER_BYTES);
    lines.put(request);
  }

  /**
   * Connects, without a wait.
   *
   * @return null if no process takes requests
   * @throws IOException if the process belongs to another user; the message says what to do
   */
  public static @Nullable RequestConnection open(Path store, HandoverRequest request)
      throws IOException {
    SocketChannel channel = RequestSocket.connect(store);
    return channel == null ? null : new RequestConnection(channel, request);
  }

  /**
   * Returns the next answer. There is one at least every ten seconds.
   *
   * @param untilNanos the end of the wait, in the time of {@link System#nanoTime}
   * @return null if the process has ended, or does not respond
   * @throws BadRequestException if the answer is invalid
   */
  public @Nullable HandoverAnswer answer(long untilNanos)
      throws BadRequestException, InterruptedException {
    try {
      while (true) {
        boolean sent = lines.flush();
        HandoverAnswer answer = lines.next(HandoverAnswer.class);
        long millis = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
        if (answer != null || millis <= 0) {
          return answer;
        }
        channel.register(
            selector, sent ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        int unused = selector.select(millis);
        selector.selectedKeys().clear();
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    } catch (BadRequestException e) {
      throw e;
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    FirstFailure.closeAll(channel, selector);
  }
}
