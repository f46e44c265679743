package org.kblake.server.internal.guard;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** The answers to requests that are no HTTP, and so reach no door. */
public final class ErrorAnswers extends ErrorHandler {

  private static final int BAD_REQUEST = 400;

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int code,
      @Nullable String message,
      @Nullable Throwable cause,
      Callback callback) {
    String problem = message == null ? "the request cannot be answered" : message;
    new Refusal(
            code,
            "http",
            code == BAD_REQUEST
                ? "the address or a header is wrong: "
                    + problem
                    + "; write other bytes than ASCII as UTF-8 with percent signs"
                : problem)
        .send(request, response, callback);
  }
}
