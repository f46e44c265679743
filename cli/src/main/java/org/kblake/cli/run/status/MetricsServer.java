package org.kblake.cli.run.status;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.ingest.internal.pace.Threads;
import org.kblake.server.settings.AccessTokens;

/**
 * An HTTP server of {@code /metrics}, {@code /health} and {@code /ready}. It is read-only. A
 * connection has one request, a thread, and a time limit, whatever its client sends or reads. The
 * connections of each address are limited, and some are kept for clients of this host, so that they
 * get an answer while others use up all the rest.
 */
public final class MetricsServer implements AutoCloseable {

  private static final long REQUEST_SECONDS = 15;
  private static final long ANSWER_SECONDS = 60;

  private final ServerSocket listening;
  private final MetricsAnswer answer;
  private final long requestNanos;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Threads.named("kblake-http-"));
  private final ScheduledExecutorService deadlines =
      Executors.newSingleThreadScheduledExecutor(Threads.named("kblake-http-end-"));
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final MetricsCapacity capacity = new MetricsCapacity();

  private MetricsServer(ServerSocket listening, MetricsAnswer answer, long requestNanos) {
    this.listening = listening;
    this.answer = answer;
    this.requestNanos = requestNanos;
    threads.execute(this::accept);
  }

  /**
   * Starts the server.
   *
   * @param tokens what clients must send for {@code /metrics}; null if everyone may ask
   * @param metrics the metrics in Prometheus's text format
   * @param unready the reason why the process is not ready; null if it is ready
   */
  public static MetricsServer start(
      ListenAddress address,
      Supplier<@Nullable AccessTokens> tokens,
      Supplier<String> metrics,
      Supplier<@Nullable String> unready)
      throws IOException {
    return start(
        address,
        new MetricsAnswer(tokens, metrics, unready),
        TimeUnit.SECONDS.toNanos(REQUEST_SECONDS));
  }

  /**
   * Starts a server.
   *
   * @param requestNanos the time in which a client must have sent a request
   */
  static MetricsServer start(ListenAddress address, MetricsAnswer answer, long requestNanos)
      throws IOException {
    ServerSocket listening = new ServerSocket();
    try {
      listening.setReuseAddress(true);
      listening.bind(address.socketAddress());
      return new MetricsServer(listening, answer, requestNanos);
    } catch (IOException | IllegalArgumentException e) {
      FirstFailure.close(e, listening);
      throw new IOException("cannot listen: address=" + address + ", " + e.getMessage(), e);
    }
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  /** Accepts connections until the server is closed. */
  private void accept() {
    while (!listening.isClosed()) {
      try {
        begin(listening.accept());
      } catch (IOException e) {
        // Out of file descriptors, for example. Others may be closed soon.
        pause();
      }
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void begin(Socket client) throws IOException {
    if (!capacity.admit(client.getInetAddress())) {
      client.close();
      return;
    }
    open.add(client);
    try {
      threads.execute(() -> serve(client));
    } catch (RejectedExecutionException e) {
      end(client);
    }
  }

  private void serve(Socket client) {
    try {
      // A closed socket ends each read and write, also of a client that sends or reads slowly.
      Future<?> reading =
          deadlines.schedule(() -> close(client), requestNanos, TimeUnit.NANOSECONDS);
      MetricsRequest request = MetricsRequest.read(client.getInputStream());
      reading.cancel(false);
      Future<?> writing = deadlines.schedule(() -> close(client), ANSWER_SECONDS, TimeUnit.SECONDS);
      client.getOutputStream().write(answer.to(request));
      client.shutdownOutput();
      request.skipRest(client);
      writing.cancel(false);
    } catch (IOException | RejectedExecutionException e) {
      // The client went away, or took too long, or the server is closed.
    } finally {
      end(client);
    }
  }

  private void end(Socket client) {
    close(client);
    open.remove(client);
    capacity.release(client.getInetAddress());
  }

  private static void close(Socket client) {
    try {
      client.close();
    } catch (IOException e) {
      // The connection ends in any case.
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      // The process ends, or listens elsewhere.
    }
    threads.shutdownNow();
    deadlines.shutdownNow();
    open.forEach(MetricsServer::close);
  }
}
