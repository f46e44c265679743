package org.kblake.cli.run.request;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.handover.HandoverAnswer;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.handover.JsonLines;
import org.kblake.cli.run.status.RunStatus;

/** A connection with a request. Only one thread uses it, except for {@link #work}. */
final class OpenRequest implements Closeable {

  /** The limit of a request, larger than the names of all groups of any archive. */
  private static final int MAX_REQUEST_BYTES = 1 << 20;

  /** The limit of waits for a peer that sends no request, or does not take the last answer. */
  private static final long MAX_SILENT_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The interval of answers if nothing is new. The requester takes them as a sign of life. */
  private static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final AtomicLong OPENED = new AtomicLong();

  final String name = Long.toString(OPENED.incrementAndGet());
  final RequestWork work;
  private @Nullable HandoverRequest request;
  private @Nullable Future<?> underWay;
  private final SocketChannel channel;
  private final SelectionKey key;
  private final JsonLines<HandoverRequest> lines;
  private final LongSupplier nanoTime;
  private @Nullable HandoverAnswer last;

  /** The begin of the wait for the request, and then for the peer to take the last answer. */
  private long waitsNanos;

  private long sentNanos;
  private boolean ended;
  private int knownProblems;

  /**
   * @param channel is closed by {@link #close}
   * @param selector is woken up when the state changes, or the peer sends something
   * @param nanoTime the time as in {@link System#nanoTime}
   */
  OpenRequest(SocketChannel channel, Selector selector, LongSupplier nanoTime) throws IOException {
    this.channel = channel;
    this.nanoTime = nanoTime;
    waitsNanos = nanoTime.getAsLong();
    channel.configureBlocking(false);
    key = channel.register(selector, SelectionKey.OP_READ);
    work = new RequestWork(selector::wakeup);
    lines = new JsonLines<>(channel, HandoverRequest.class, "request", MAX_REQUEST_BYTES);
  }

  /** Returns whether the request has ended. */
  boolean ended() {
    return work.ended();
  }

  /**
   * Reads what the peer has sent.
   *
   * @return the request; null if it is not complete, or was before
   * @throws ProtocolException if it sends anything else than one request
   * @throws EOFException if it has closed the connection
   */
  @Nullable HandoverRequest receive() throws IOException {
    HandoverRequest received = lines.next();
    if (received != null && request != null) {
      throw lines.invalid("has more than one line");
    }
    request = received == null ? request : received;
    return received;
  }

  /** Returns the request; null if it is not complete. */
  @Nullable HandoverRequest request() {
    return request;
  }

  /** Sets its work, which is cancelled with it. */
  void underWay(Future<?> submitted) {
    underWay = submitted;
  }

  /**
   * Sends the present answer if it is new, or the last one is ten seconds old.
   *
   * @return whether all is done: the last answer is sent, or the peer makes it wait for too long
   * @throws IOException if the peer has closed the connection
   */
  boolean send() throws IOException {
    HandoverAnswer now = work.answer(knownProblems);
    boolean end = now.state().isEnd();
    long nowNanos = nanoTime.getAsLong();
    if (end && !ended) {
      ended = true;
      waitsNanos = nowNanos;
    }
    boolean sent = lines.flush();
    if (sent && (request != null || end) && isDue(now, nowNanos - sentNanos)) {
      lines.put(now);
      last = now;
      knownProblems += now.problems().size();
      sentNanos = nowNanos;
      sent = lines.flush();
    }
    // Nothing more is read from a peer whose request has ended
    key.interestOps((end ? 0 : SelectionKey.OP_READ) | (sent ? 0 : SelectionKey.OP_WRITE));
    return sent && end || (request == null || end) && nowNanos - waitsNanos > MAX_SILENT_NANOS;
  }

  private boolean isDue(HandoverAnswer now, long silentNanos) {
    HandoverAnswer before = last;
    return before == null
        || !before.state().isEnd() && (!now.equals(before) || silentNanos > REPEAT_NANOS);
  }

  /** Returns the figures for the status; empty before the request is known, and after its end. */
  Stream<RunStatus.RequestNumbers> numbers() {
    HandoverAnswer now = work.answer(knownProblems);
    return request == null || now.state().isEnd()
        ? Stream.empty()
        : Stream.of(
            new RunStatus.RequestNumbers(
                request.words(),
                request.host(),
                request.pid(),
                now.state().toString(),
                now.scannedBytes(),
                now.plannedBytes()));
  }

  /** Ends the request without its work. */
  void end(HandoverAnswer.State as, String reason) {
    work.become(as, reason);
    cancel();
  }

  private void cancel() {
    Future<?> running = underWay;
    if (running != null) {
      running.cancel(true);
    }
  }

  /** Closes the connection, and stops the work. */
  @Override
  public void close() throws IOException {
    cancel();
    channel.close();
  }
}
