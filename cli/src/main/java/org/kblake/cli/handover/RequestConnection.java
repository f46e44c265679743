package org.kblake.cli.handover;

import java.io.Closeable;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FirstFailure;

/**
 * A request to the process that has locked a store. To close it is to cancel it. One thread uses
 * it; an interrupt of this thread ends its waits.
 */
public final class RequestConnection implements Closeable {

  /** The pause between attempts to connect, milliseconds. */
  public static final long RETRY_MILLIS = 100;

  private static final long POLL_MILLIS = 20;

  /** The limit of an answer: a thousand problems with a long path each. */
  private static final int MAX_ANSWER_BYTES = 1 << 24;

  /** The system property with another limit of waits for an answer, seconds. */
  private static final String LIMIT = "kblake.request.limit";

  private final SocketChannel channel;
  private final JsonLines<HandoverAnswer> lines;

  private RequestConnection(SocketChannel channel, HandoverRequest request) throws IOException {
    this.channel = channel;
    lines = new JsonLines<>(channel, HandoverAnswer.class, "answer", MAX_ANSWER_BYTES);
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
    try {
      return channel == null ? null : new RequestConnection(channel, request);
    } catch (Throwable e) {
      FirstFailure.close(e, channel);
      throw e;
    }
  }

  /**
   * Returns the limit of a wait for an answer, nanoseconds.
   *
   * @param usualSeconds the limit if the system property {@code kblake.request.limit} is not set
   */
  public static long limitNanos(long usualSeconds) {
    return TimeUnit.SECONDS.toNanos(Long.getLong(LIMIT, usualSeconds));
  }

  /**
   * Waits for the end of the request. There is an answer at least every ten seconds.
   *
   * @param untilNanos returns the end of the next wait, in the time of {@link System#nanoTime}
   * @param shown gets each answer
   * @return the last answer; null if the process has ended, or does not respond
   * @throws ProtocolException if an answer is invalid
   */
  public @Nullable HandoverAnswer end(LongSupplier untilNanos, Consumer<HandoverAnswer> shown)
      throws ProtocolException, InterruptedException {
    HandoverAnswer answer = answer(untilNanos.getAsLong());
    while (answer != null) {
      shown.accept(answer);
      if (answer.state().isEnd()) {
        return answer;
      }
      answer = answer(untilNanos.getAsLong());
    }
    return null;
  }

  private @Nullable HandoverAnswer answer(long untilNanos)
      throws ProtocolException, InterruptedException {
    try {
      while (true) {
        boolean unused = lines.flush();
        HandoverAnswer answer = lines.next();
        if (answer != null || System.nanoTime() - untilNanos >= 0) {
          return answer;
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    } catch (ProtocolException e) {
      throw e;
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
