package org.kblake.server.internal.guard;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * A response that fails as a whole when one of its writes has failed. Javalin answers an exception
 * of a handler, and then ends the response in order. After a write that was given up, Jetty would
 * send the end of a body whose middle is missing, or wait for that write without end. So the client
 * would take the body as whole, and the request would keep its place.
 *
 * <p>Before its first byte it can be replaced by a refusal, whatever the handler writes later. The
 * request is complete when the handler has ended and the refusal was written, because Jetty uses
 * the objects of a complete request for the next one.
 */
final class WatchedResponse extends Response.Wrapper {

  private final Callback callback;
  private final Consumer<Refusal> beforeRefusal;

  /** The handler, and the write of the refusal. */
  private final AtomicInteger open = new AtomicInteger(2);

  private volatile @Nullable Throwable failure;
  private @Nullable Refusal refusal;
  private boolean isBegun;
  private boolean isRefused;

  /**
   * @param beforeRefusal adds the headers that all answers have
   */
  WatchedResponse(
      Request request, Response response, Callback callback, Consumer<Refusal> beforeRefusal) {
    super(request, response);
    this.callback = callback;
    this.beforeRefusal = beforeRefusal;
  }

  /**
   * Replaces the answer by a refusal, which is sent when the handler writes or ends.
   *
   * @return false if the answer has begun
   */
  synchronized boolean refuse(Refusal instead) {
    if (!isBegun) {
      refusal = instead;
    }
    return !isBegun;
  }

  /** Begins the answer. Returns whether a refusal has replaced it, and sends it once. */
  private synchronized boolean sendsRefusal() {
    isBegun = true;
    Refusal instead = refusal;
    if (instead != null && !isRefused) {
      isRefused = true;
      // Of the request that was given up
      Thread.interrupted();
      getHeaders().clear();
      beforeRefusal.accept(instead);
      instead.send(getRequest(), getWrapped(), Callback.from(this::endOne, this::failOne));
    }
    return isRefused;
  }

  @Override
  public void write(boolean last, @Nullable ByteBuffer bytes, @Nullable Callback written) {
    Callback then = written == null ? Callback.NOOP : written;
    if (sendsRefusal()) {
      then.failed(new EofException("the time of the request is over"));
      return;
    }
    super.write(
        last,
        bytes,
        Callback.from(
            then.getInvocationType(),
            then::succeeded,
            error -> {
              failure = error;
              then.failed(error);
            }));
  }

  /** Returns what the handler calls when it has ended. */
  Callback completion() {
    return Callback.from(callback.getInvocationType(), () -> end(failure), this::end);
  }

  private void end(@Nullable Throwable error) {
    if (sendsRefusal()) {
      endOne();
    } else {
      complete(error);
    }
  }

  private void failOne(Throwable error) {
    failure = error;
    endOne();
  }

  private void endOne() {
    if (open.decrementAndGet() == 0) {
      complete(failure);
    }
  }

  private void complete(@Nullable Throwable error) {
    if (error == null) {
      callback.succeeded();
    } else {
      callback.failed(error);
    }
  }
}
