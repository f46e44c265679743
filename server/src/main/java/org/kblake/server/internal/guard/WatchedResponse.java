package org.kblake.server.internal.guard;

import java.nio.ByteBuffer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * A response that fails as a whole when one of its writes has failed. Javalin answers an exception
 * of a handler, and then ends the response in order. After a write that was given up, Jetty would
 * send the end of a body whose middle is missing, or wait for that write without end. So the client
 * would take the body as whole, and the request would keep its place.
 */
final class WatchedResponse extends Response.Wrapper {

  private final Callback callback;
  private volatile @Nullable Throwable failure;

  WatchedResponse(Request request, Response response, Callback callback) {
    super(request, response);
    this.callback = callback;
  }

  @Override
  public void write(boolean last, @Nullable ByteBuffer bytes, @Nullable Callback written) {
    Callback then = written == null ? Callback.NOOP : written;
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
    return Callback.from(callback.getInvocationType(), this::end, callback::failed);
  }

  private void end() {
    Throwable error = failure;
    if (error == null) {
      callback.succeeded();
    } else {
      callback.failed(error);
    }
  }
}
