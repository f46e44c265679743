package org.kblake.test.live.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.kblake.test.fixture.Await.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.handover.RequestConnection;
import org.kblake.cli.handover.RequestSocket;
import org.kblake.cli.handover.ServiceRequest;
import org.kblake.cli.run.request.RequestQueue;
import org.kblake.cli.run.settings.LogFormat;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;

final class RequestQueueTest extends FollowedArchive {

  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  private RequestQueue queue(FollowService service, RequestSocket socket, Runnable resetCounters)
      throws IOException {
    return RequestQueue.open(
        service,
        socket,
        resetCounters,
        new RunLog(
            new PrintStream(log, true, StandardCharsets.UTF_8),
            Clock.systemUTC(),
            LogFormat.TEXT,
            false));
  }

  /** The peer would send the request again and again if it was told that the process has ended. */
  @Test
  void faultOfTheProcessFailsTheRequestWithItsMessage() throws Exception {
    try (RequestSocket socket = new RequestSocket(live.storePath);
        RequestQueue queue =
            queue(
                live.start(FollowServiceFixture.eager()),
                socket,
                () -> {
                  throw new IllegalStateException("no counters");
                })) {
      await("the socket", () -> Files.exists(live.storePath.resolve("kblake-run/socket")));
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(
              () ->
                  ServiceRequest.send(
                      live.storePath, HandoverRequest.resetOfCounters(), note -> {}))
          .withMessage(
              "kblake run failed: java.lang.IllegalStateException: no counters; see its log");
      await("no request", () -> queue.requests().isEmpty());
    }
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("message=\"request is failed\"")
        .contains("no counters")
        .doesNotContain("cancelled");
  }

  /** The user was told that the process does not respond. When it does, nothing may be done. */
  @Test
  void requestWhosePeerHasGoneIsNotBegun() throws Exception {
    AtomicBoolean reset = new AtomicBoolean();
    FollowService service = live.start(FollowServiceFixture.eager());
    try (RequestSocket socket = new RequestSocket(live.storePath)) {
      assertThat(socket.listen(false).isOpen()).isTrue();
      RequestConnection gone =
          Objects.requireNonNull(
              RequestConnection.open(live.storePath, HandoverRequest.resetOfCounters()));
      // It sends the request, and gives up
      assertThat(gone.end(System::nanoTime, answer -> {})).isNull();
      gone.close();
      try (RequestQueue queue = queue(service, socket, () -> reset.set(true))) {
        await(
            "a next request",
            () -> ends(HandoverRequest.forget(FollowServiceFixture.GROUP, false)));
        assertThat(queue.requests()).isEmpty();
      }
    }
    assertThat(reset).isFalse();
  }

  /** A disk was lost, and an empty one is in its place, while the process still runs. */
  @Test
  void directoryThatIsNoStoreStaysEmpty() throws Exception {
    FollowService service = live.start(FollowServiceFixture.eager());
    Path lost = live.storePath.resolveSibling("lost");
    try (RequestSocket socket = new RequestSocket(live.storePath);
        RequestQueue queue = queue(service, socket, () -> {})) {
      await("the socket", () -> Files.exists(live.storePath.resolve("kblake-run/socket")));
      Files.move(live.storePath, lost);
      Files.createDirectory(live.storePath);
      await("the problem", () -> text().contains("requests cannot be taken"));
      assertThat(live.storePath).isEmptyDirectory();
      assertThat(queue.requests()).isEmpty();
      Files.move(live.storePath, live.storePath.resolveSibling("empty"));
      Files.move(lost, live.storePath);
      await("a request", () -> ends(HandoverRequest.resetOfCounters()));
    }
  }

  private String text() {
    return log.toString(StandardCharsets.UTF_8);
  }

  /** Requests are taken in their order, so those before have ended. */
  private boolean ends(HandoverRequest request) throws Exception {
    try (RequestConnection connection = RequestConnection.open(live.storePath, request)) {
      return connection != null
          && connection.end(() -> System.nanoTime() + 10_000_000_000L, answer -> {}) != null;
    }
  }
}
