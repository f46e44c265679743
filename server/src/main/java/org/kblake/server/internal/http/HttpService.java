package org.kblake.server.internal.http;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.compression.CompressionType;
import io.javalin.compression.Gzip;
import io.javalin.compression.Zstd;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpException;
import org.kblake.core.archive.UnavailableException;
import org.kblake.format.Compression;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.query.question.UnknownGroupException;
import org.kblake.server.internal.guard.DoorMetrics;
import org.kblake.server.internal.guard.Guard;
import org.kblake.server.internal.guard.ReadyProbe;
import org.kblake.server.settings.AccessTokens;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server of all doors. */
public final class HttpService implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HttpService.class);

  private static final String API = "/api/";
  private static final String RETRY_AFTER = "Retry-After";
  private static final String RETRY_SECONDS = "5";
  private static final int FASTEST = 1;
  private static final int NOT_FOUND = 404;
  private static final int FAILED = 500;
  private static final int NOT_READY = 503;

  private final Javalin javalin;
  private final Guard guard;
  private final Listener listener;
  private final DoorMetrics metrics;

  private HttpService(Javalin javalin, Guard guard, Listener listener, DoorMetrics metrics) {
    this.javalin = javalin;
    this.guard = guard;
    this.listener = listener;
    this.metrics = metrics;
  }

  /**
   * Starts the server.
   *
   * @param memory the bytes of Arrow memory in use
   * @param question reads something of the archive, to find whether it responds
   * @throws IOException if it cannot listen at the address, or cannot read a file of TLS
   */
  public static HttpService start(
      HttpSettings settings, List<Door> doors, LongSupplier memory, Callable<?> question)
      throws IOException {
    DoorMetrics metrics = new DoorMetrics(memory);
    Guard guard =
        new Guard(
            settings.address(), settings.access(), settings.limits(), settings.clock(), metrics);
    Listener listener = Listener.open(settings);
    metrics.showCertificateEnd(listener.certificateEnd());
    Door operation = new OperationDoor(metrics, new ReadyProbe(question));
    Javalin javalin =
        Javalin.create(
            config -> {
              config.startup.showJavalinBanner = false;
              config.startup.showOldJavalinVersionWarning = false;
              listener.configure(config.jetty, guard);
              configure(config, operation, doors);
            });
    try {
      javalin.start();
    } catch (JavalinException e) {
      listener.close();
      if (e.getCause() instanceof InterruptedException) {
        throw new InterruptedIOException("stopped before it listens");
      }
      throw new IOException(
          "cannot listen: address=" + settings.address() + ", " + e.getMessage(), e);
    }
    return new HttpService(javalin, guard, listener, metrics);
  }

  /** Zstandard is faster than gzip and smaller; but browsers accept it over TLS only. */
  private static CompressionStrategy compression() {
    if (!Compression.isZstandardNative()) {
      CompressionStrategy strategy = new CompressionStrategy(null, new Gzip(FASTEST), null);
      strategy.setPreferredCompressors(List.of(CompressionType.GZIP));
      return strategy;
    }
    CompressionStrategy strategy =
        new CompressionStrategy(null, new Gzip(FASTEST), new Zstd(FASTEST));
    strategy.setPreferredCompressors(List.of(CompressionType.ZSTD, CompressionType.GZIP));
    return strategy;
  }

  private static void configure(JavalinConfig config, Door operation, List<Door> doors) {
    config.http.compressionStrategy = compression();
    operation.addTo(config.routes);
    for (Door door : doors) {
      door.addTo(config.routes);
    }
    config.routes.exception(
        HttpException.RuntimeException.class, (e, context) -> fail(context, e.getCode(), e));
    config.routes.exception(
        HttpStatusException.class, (e, context) -> fail(context, e.status(), e));
    config.routes.exception(
        UnknownChannelException.class,
        (e, context) ->
            fail(
                context,
                // A log that cannot be read may have the channel.
                e.isCertain() ? NOT_FOUND : NOT_READY,
                e,
                e.nearest().values().stream().flatMap(List::stream)));
    config.routes.exception(
        UnknownGroupException.class, (e, context) -> fail(context, NOT_FOUND, e));
    config.routes.exception(
        UnavailableException.class, (e, context) -> fail(context, NOT_READY, e));
    config.routes.exception(
        HttpResponseException.class,
        (e, context) ->
            fail(
                context,
                e.getStatus(),
                e.getStatus() == NOT_FOUND
                    ? new HttpStatusException(NOT_FOUND, "no such path: " + context.path())
                    : e));
    config.routes.exception(
        IOException.class,
        (e, context) -> {
          if (e instanceof InterruptedIOException || Thread.currentThread().isInterrupted()) {
            LOG.debug("the client has gone, or its time is over: {}", context.path());
          } else {
            LOG.warn("cannot answer: {}: {}", context.path(), e.toString());
          }
          fail(context, FAILED, e);
        });
    config.router.javaLangErrorHandler(HttpService::failed);
  }

  /** Answers when an error of the JVM ended a request, such as a lack of memory. */
  private static void failed(HttpServletResponse response, Error error) {
    LOG.warn("cannot answer: {}", error.toString());
    if (!response.isCommitted()) {
      response.reset();
      response.setStatus(NOT_READY);
      response.setHeader(RETRY_AFTER, RETRY_SECONDS);
      response.setContentType("text/plain; charset=utf-8");
    }
  }

  private static void fail(Context context, int status, Exception error) {
    fail(context, status, error, Stream.of());
  }

  /** Returns whether a message has more than names of the request, which stay as they are. */
  private static boolean mayNameFiles(Exception error) {
    if (error instanceof UnknownChannelException unknown) {
      return !unknown.isCertain();
    }
    return error instanceof IOException && !(error instanceof UnknownGroupException);
  }

  /** Answers with an error: JSON in the own API, a line of text elsewhere. */
  private static void fail(Context context, int status, Exception error, Stream<String> nearest) {
    String message = String.valueOf(error.getMessage());
    if (mayNameFiles(error)) {
      message = PublicText.of(message);
    }
    message = PublicText.line(message);
    context.status(status);
    if (status == NOT_READY) {
      context.header(RETRY_AFTER, RETRY_SECONDS);
    }
    if ((context.path() + "/").startsWith(API)) {
      context.json(Map.of("error", message, "status", status, "nearest", nearest.toList()));
    } else {
      context.contentType("text/plain; charset=utf-8").result(message + "\n");
    }
  }

  /** Returns the port at which the server listens. */
  public int port() {
    return javalin.port();
  }

  /** Admits other tokens from now on. Requests in work whose token is gone are cut. */
  public void renewTokens(AccessTokens tokens) {
    guard.renew(tokens);
  }

  /**
   * Reads the files of TLS again, for connections from now on.
   *
   * @throws IOException if they cannot be used; the old certificate then stays
   */
  public void renewCertificate() throws IOException {
    listener.renewCertificate();
    metrics.showCertificateEnd(listener.certificateEnd());
  }

  /** Shows in the metrics whether a file of a setting has changed and cannot be used. */
  public void showOutdated(String setting, boolean isOutdated) {
    metrics.showOutdated(setting, isOutdated);
  }

  /** Refuses new requests, waits some seconds for those in work, and ends. */
  @Override
  public void close() {
    guard.drain();
    javalin.stop();
    metrics.close();
  }
}
