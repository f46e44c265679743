package org.kblake.server.internal.guard;

import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.kblake.server.internal.connection.ClientEndPoint;
import org.kblake.server.settings.AccessToken;

/** Who sends a request, once it was admitted. */
final class Asker {

  private static final String TOKEN = Asker.class.getName();

  private Asker() {}

  static void hasToken(Request request, AccessToken token) {
    request.setAttribute(TOKEN, token);
  }

  /** Returns the token of a request; null if it was admitted without one. */
  static @Nullable AccessToken token(Request request) {
    return request.getAttribute(TOKEN) instanceof AccessToken token ? token : null;
  }

  /**
   * Returns to whom the limits of a client apply: the name of its token, otherwise its address;
   * null if they do not, because it is on this host and has no name.
   */
  static @Nullable Object limited(Request request, @Nullable ClientEndPoint client) {
    String name = name(request);
    if (!name.isEmpty()) {
      return "token " + name;
    }
    return client == null ? null : client.limited();
  }

  /** Returns the name of its token; empty if it has none. */
  static String name(Request request) {
    AccessToken token = token(request);
    return token == null ? "" : token.name();
  }
}
