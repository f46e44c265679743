package org.kblake.server.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.ConnectionLimits;
import org.kblake.server.settings.ServerLimits;

/** What a request does after its longest time, while it writes nothing. */
@Timeout(60)
final class LongestTimeTest {

  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** A handler whose first request works until it is interrupted. */
  private static final class Work extends Handler.Abstract {
    final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    final CompletableFuture<Boolean> left = new CompletableFuture<>();

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      if (interrupted.isDone()) {
        left.complete(Thread.currentThread().isInterrupted());
      } else {
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          // As code that reports it, and goes on.
          Thread.currentThread().interrupt();
          interrupted.complete(true);
        }
      }
      callback.succeeded();
      return true;
    }
  }

  @Test
  void theWorkIsInterruptedAndItsThreadIsNot() throws Exception {
    ServerLimits limits =
        new ServerLimits(
            1,
            1,
            1,
            1,
            Duration.ofSeconds(20),
            Duration.ofMillis(200),
            Duration.ofMillis(200),
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            ConnectionLimits.of(10));
    Work work = new Work();
    try (DoorMetrics metrics = new DoorMetrics(() -> 0)) {
      Guard guard = new Guard(ANY, AccessSettings.open(), limits, InstantSource.system(), metrics);
      guard.setHandler(work);
      // As few threads as Jetty takes, so that the second request gets that of the first.
      Server server = new Server(new QueuedThreadPool(4, 4));
      ServerConnector connector = new ServerConnector(server, 1, 1);
      connector.setHost("127.0.0.1");
      server.addConnector(connector);
      server.setHandler(guard);
      server.start();
      try {
        assertThat(ask(connector.getLocalPort())).startsWith("HTTP/1.1 504");
        assertThat(work.interrupted.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ask(connector.getLocalPort())).startsWith("HTTP/1.1 200");
        assertThat(work.left.get(20, TimeUnit.SECONDS)).isFalse();
      } finally {
        server.stop();
      }
    }
  }

  private static String ask(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(
              "GET /api/v1/trend HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
