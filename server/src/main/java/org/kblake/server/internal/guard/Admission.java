package org.kblake.server.internal.guard;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.AccessToken;

/** Decides which requests a door gets, by their headers. Thread safe. */
final class Admission {

  static final String COOKIE = "kblake-token";
  static final long MOST_BODY_BYTES = 8L << 20;

  private static final String BEARER = "Bearer ";
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
  private static final Pattern POSTS =
      Pattern.compile("/(retrieval|archappl_retrieve)/data/getData(ForPVs\\..*|AtTime)");
  private static final Set<String> WITHOUT_TOKEN = Set.of("/health", "/ready");

  private final AccessSettings settings;
  private final HostNames hosts;

  Admission(InetSocketAddress listen, AccessSettings settings) {
    this.settings = settings;
    hosts = new HostNames(listen, settings.hosts());
  }

  /** Adds the headers that all answers have. */
  void addHeaders(Request request, Response response) {
    HttpFields.Mutable fields = response.getHeaders();
    fields.put("Content-Security-Policy", POLICY);
    fields.put("X-Content-Type-Options", "nosniff");
    fields.put("X-Frame-Options", "DENY");
    fields.put("Referrer-Policy", "no-referrer");
    if (isShared(request)) {
      fields.put("Access-Control-Allow-Origin", "*");
      fields.put("Access-Control-Expose-Headers", "Kblake-Complete, Kblake-Missing");
      fields.put("Cross-Origin-Resource-Policy", "cross-origin");
    } else {
      fields.put("Cross-Origin-Resource-Policy", "same-origin");
    }
  }

  /** Returns whether web pages of other hosts may read the answer. */
  private boolean isShared(Request request) {
    return settings.cors() && RequestKind.isAppliance(Request.getPathInContext(request));
  }

  /** Returns the answer to a request that no door gets, or null if a door gets it. */
  @Nullable Refusal refusal(Request request) {
    if (!hosts.accepts(request)) {
      return new Refusal(
          403, "host", "the request names another host; its name can be added with --host");
    }
    Refusal refused = method(request);
    if (refused == null && isOfOtherPage(request) && !isShared(request)) {
      refused = new Refusal(403, "origin", "web pages of other hosts may not ask");
    }
    if (refused == null
        && request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) > MOST_BODY_BYTES) {
      refused =
          new Refusal(
              413,
              "size",
              "the body is longer than " + MOST_BODY_BYTES + " bytes",
              Map.of("Connection", "close"));
    }
    String query = request.getHttpURI().getQuery();
    if (refused == null && isReplaced(request.getHttpURI().getPath())) {
      refused = new Refusal(400, "query", "the path is not UTF-8");
    }
    if (refused == null
        && query != null
        && (isReplaced(query) || QueryText.decode(query) == null)) {
      refused = new Refusal(400, "query", "the query is not UTF-8 with its percent signs encoded");
    }
    return refused == null ? token(request, query == null ? "" : query) : refused;
  }

  /** Returns whether Jetty has replaced bytes that are not UTF-8. */
  private static boolean isReplaced(@Nullable String text) {
    return text != null && text.indexOf('\uFFFD') >= 0;
  }

  private @Nullable Refusal method(Request request) {
    String path = Request.getPathInContext(request);
    boolean posts = POSTS.matcher(path).matches();
    String allow = posts ? "GET, HEAD, POST" : "GET, HEAD";
    return switch (request.getMethod()) {
      case "GET", "HEAD" -> null;
      case "POST" -> posts ? null : notAllowed(allow);
      case "OPTIONS" -> isShared(request) ? preflight(allow) : notAllowed(allow);
      default -> notAllowed(allow);
    };
  }

  private static Refusal notAllowed(String allow) {
    return new Refusal(405, "method", "only " + allow, Map.of("Allow", allow));
  }

  private static Refusal preflight(String allow) {
    return new Refusal(
        204,
        "preflight",
        "",
        Map.of(
            "Access-Control-Allow-Methods", allow,
            "Access-Control-Allow-Headers", "Authorization, Content-Type",
            "Access-Control-Max-Age", "600"));
  }

  /** Returns whether a browser says that a page of another host sent the request by itself. */
  private static boolean isOfOtherPage(Request request) {
    String site = Objects.requireNonNullElse(request.getHeaders().get("Sec-Fetch-Site"), "none");
    return !site.equals("none")
        && !site.equals("same-origin")
        && !"navigate".equals(request.getHeaders().get("Sec-Fetch-Mode"));
  }

  private @Nullable Refusal token(Request request, String query) {
    AccessToken token = settings.token();
    String path = Request.getPathInContext(request);
    if (token == null || WITHOUT_TOKEN.contains(path)) {
      return null;
    }
    if (path.equals("/") && request.getMethod().equals("GET")) {
      String sent = parameter(query);
      if (sent != null && token.matches(sent)) {
        return withCookie(request, query, sent);
      }
    }
    if (isExempt(request) || sends(request, token)) {
      return null;
    }
    return new Refusal(
        401,
        "token",
        "a token is needed: as header 'Authorization: Bearer TOKEN', or open /?token=TOKEN once",
        Map.of("WWW-Authenticate", "Bearer realm=\"kblake\""));
  }

  private boolean isExempt(Request request) {
    return request.getConnectionMetaData().getRemoteSocketAddress()
            instanceof InetSocketAddress client
        && settings.allowed().stream().anyMatch(block -> block.contains(client.getAddress()));
  }

  private static boolean sends(Request request, AccessToken token) {
    String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    if (header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return token.matches(header.substring(BEARER.length()).strip());
    }
    return Request.getCookies(request).stream()
        .anyMatch(cookie -> cookie.getName().equals(COOKIE) && token.matches(cookie.getValue()));
  }

  private static @Nullable String parameter(String query) {
    for (String each : query.split("&")) {
      if (each.startsWith("token=")) {
        return QueryText.decode(each.substring("token=".length()));
      }
    }
    return null;
  }

  /** Leads to the same page without the token, which the browser then sends as a cookie. */
  private static Refusal withCookie(Request request, String query, String token) {
    String rest =
        Arrays.stream(query.split("&"))
            .filter(each -> !each.startsWith("token="))
            .collect(Collectors.joining("&"));
    String cookie = COOKIE + "=" + token + "; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict";
    return new Refusal(
        303,
        "cookie",
        "the token is kept as a cookie",
        Map.of(
            "Location", rest.isEmpty() ? "/" : "/?" + rest,
            "Set-Cookie", request.isSecure() ? cookie + "; Secure" : cookie));
  }
}
