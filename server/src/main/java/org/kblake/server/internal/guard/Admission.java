package org.kblake.server.internal.guard;

import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.InstantSource;
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
import org.kblake.server.settings.AccessTokens;

/** Decides which requests a door gets, by their headers. Thread safe. */
final class Admission {

  static final String COOKIE = "kblake-token";
  static final long MAX_BODY_BYTES = 8L << 20;

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
  private static final Pattern POSTS =
      Pattern.compile("/(retrieval|archappl_retrieve)/data/getData(ForPVs\\..*|AtTime)");
  private static final Set<String> WITHOUT_TOKEN = Set.of("/health", "/ready");

  private final AccessSettings settings;
  private final InstantSource clock;
  private final HostNames hosts;
  private volatile @Nullable AccessTokens tokens;

  Admission(InetSocketAddress listen, AccessSettings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
    tokens = settings.tokens();
    hosts = new HostNames(listen, settings.hosts());
  }

  /** Admits other tokens from now on. */
  void renew(AccessTokens next) {
    tokens = next;
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
        && request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) > MAX_BODY_BYTES) {
      refused =
          new Refusal(
              413,
              "size",
              "the body is longer than " + MAX_BODY_BYTES + " bytes",
              Map.of("Connection", "close"));
    }
    String query = request.getHttpURI().getQuery();
    String path = String.valueOf(request.getHttpURI().getPath());
    if (refused == null && (isReplaced(path) || QueryText.decode(path) == null)) {
      refused = new Refusal(400, "query", "the path is not UTF-8 with its percent signs encoded");
    }
    if (refused == null
        && query != null
        && (isReplaced(query) || QueryText.decode(query) == null)) {
      refused = new Refusal(400, "query", "the query is not UTF-8 with its percent signs encoded");
    }
    return refused == null ? token(request, query == null ? "" : query) : refused;
  }

  /** Returns whether Jetty has replaced bytes that are not UTF-8. */
  private static boolean isReplaced(String text) {
    return text.indexOf('\uFFFD') >= 0;
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

  /**
   * Returns whether a browser says that a page of another host sent the request by itself. A link
   * may lead to the page of this server; it leads to data only if the user followed it.
   */
  private static boolean isOfOtherPage(Request request) {
    HttpFields headers = request.getHeaders();
    String site = Objects.requireNonNullElse(headers.get("Sec-Fetch-Site"), "none");
    if (site.equals("none") || site.equals("same-origin")) {
      return false;
    }
    return !"navigate".equals(headers.get("Sec-Fetch-Mode"))
        || (!RequestKind.door(Request.getPathInContext(request)).equals("page")
            && !"?1".equals(headers.get("Sec-Fetch-User")));
  }

  private @Nullable Refusal token(Request request, String query) {
    AccessTokens accepted = tokens;
    String path = Request.getPathInContext(request);
    if (accepted == null || WITHOUT_TOKEN.contains(path)) {
      return null;
    }
    Instant now = clock.instant();
    boolean opens = path.equals("/") && request.getMethod().equals("GET");
    String opening = opens ? parameter(query) : null;
    AccessToken token = opening == null ? null : accepted.find(opening);
    if (opening != null && token != null && !token.isExpired(now)) {
      return withCookie(request, query, opening);
    }
    if (token == null || token.isExpired(now)) {
      AccessToken other = sent(request, accepted);
      token = other == null ? token : other;
    }
    if (token != null && !token.isExpired(now)) {
      Asker.hasToken(request, token);
      // A renewal that began meanwhile may have missed this request.
      return tokens == accepted ? null : token(request, query);
    }
    if (isExempt(request)) {
      return null;
    }
    return token == null
        ? refused(
            "token",
            "a token is needed: as header 'Authorization: Bearer TOKEN', or open /?token=TOKEN once",
            "")
        : refused("expired", token.expiry() + "; ask for another", ", error=\"invalid_token\"");
  }

  private static Refusal refused(String reason, String message, String challenge) {
    return new Refusal(
        401, reason, message, Map.of("WWW-Authenticate", "Bearer realm=\"kblake\"" + challenge));
  }

  private boolean isExempt(Request request) {
    return request.getConnectionMetaData().getRemoteSocketAddress()
            instanceof InetSocketAddress client
        && settings.allowed().stream().anyMatch(block -> block.contains(client.getAddress()));
  }

  /** Returns the token that a request has, which may be expired; null if it has none of them. */
  private static @Nullable AccessToken sent(Request request, AccessTokens accepted) {
    String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    AccessToken bearer = accepted.findBearer(header);
    if (bearer != null) {
      return bearer;
    }
    return Request.getCookies(request).stream()
        .filter(cookie -> cookie.getName().equals(COOKIE))
        .map(cookie -> accepted.find(cookie.getValue()))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
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
