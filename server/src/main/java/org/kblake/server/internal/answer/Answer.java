package org.kblake.server.internal.answer;

import io.javalin.http.Context;
import java.io.IOException;
import org.eclipse.jetty.io.EofException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the body of an answer, and cuts the connection if it fails behind its begin. */
public final class Answer {

  private static final Logger LOG = LoggerFactory.getLogger(Answer.class);

  private Answer() {}

  /** Writes a body. */
  public interface Body {

    /**
     * Writes everything.
     *
     * @return the reason why the answer is incomplete; null if it is complete
     */
    @Nullable String write(AnswerStream out) throws IOException;
  }

  /**
   * Answers a request.
   *
   * @param mayCompress whether the body may be compressed if the client accepts it
   * @throws IOException if it fails before its begin
   */
  public static void send(Context context, String contentType, boolean mayCompress, Body body)
      throws IOException {
    send(context, new AnswerStream(context, contentType, mayCompress, false), body);
  }

  /**
   * Answers a request with JSON. The caller has added the header that says whether it is complete,
   * if any.
   *
   * @throws IOException if it fails before its begin
   */
  public static void sendJson(Context context, Body body) throws IOException {
    send(context, new AnswerStream(context, "application/json", true, true), body);
  }

  private static void send(Context context, AnswerStream out, Body body) throws IOException {
    try {
      out.finish(body.write(out));
    } catch (IOException | RuntimeException e) {
      if (HeaderAnswer.Known.isCauseOf(e)) {
        out.finishHeader();
        return;
      }
      if (!out.isBegun()) {
        throw e;
      }
      if (e instanceof EofException) {
        LOG.debug("the client has gone: {}", context.path());
      } else {
        LOG.warn("answer was cut off: {}: {}", context.path(), e.toString());
      }
      out.cut();
    }
  }
}
