package org.kblake.server.internal.answer;

import io.javalin.http.Context;
import java.io.IOException;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;

/**
 * The answer to HEAD: the status and the headers of the answer to GET. A door sees such a request
 * as GET. A short answer is made as for GET, and the server does not send its body. An answer that
 * takes long ends as soon as its status is known. It then has none of the headers that depend on
 * its body: no length, no tag, and nothing about its completeness and whether it may be kept.
 */
public final class HeaderAnswer {

  private HeaderAnswer() {}

  /** Returns whether only the header of an answer is wanted. */
  public static boolean isWanted(Context context) {
    return Request.unWrap(ServletContextRequest.getServletContextRequest(context.req()))
        .getMethod()
        .equals("HEAD");
  }

  /** Sends the header of an answer whose status is 200. */
  public static void send(Context context, String contentType) throws IOException {
    context.contentType(contentType);
    KeptAnswer.leaveOpen(context);
    // Without this, the header would say that the body is empty.
    context.res().flushBuffer();
  }

  /** Ends the making of a body of which nothing is sent. */
  static final class Known extends IOException {
    private static final long serialVersionUID = 1;

    Known() {
      super("the header is known");
    }

    /** Returns whether an error comes from one of these. */
    static boolean isCauseOf(Throwable error) {
      Throwable each = error;
      for (int i = 0; each != null && i < 10; i++) {
        if (each instanceof Known) {
          return true;
        }
        each = each.getCause();
      }
      return false;
    }
  }
}
