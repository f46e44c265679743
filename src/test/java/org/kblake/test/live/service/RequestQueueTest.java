package org.kblake.test.live.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.kblake.test.fixture.Await.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.handover.RequestSocket;
import org.kblake.cli.handover.ServiceRequest;
import org.kblake.cli.run.request.RequestQueue;
import org.kblake.cli.run.settings.LogFormat;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;

final class RequestQueueTest extends FollowedArchive {

  /** The peer would send the request again and again if it was told that the process has ended. */
  @Test
  void faultOfTheProcessFailsTheRequestWithItsMessage() throws Exception {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    try (RequestSocket socket = new RequestSocket(live.storePath);
        RequestQueue queue =
            RequestQueue.open(
                live.start(FollowServiceFixture.eager()),
                socket,
                () -> {
                  throw new IllegalStateException("no counters");
                },
                new RunLog(
                    new PrintStream(log, true, StandardCharsets.UTF_8),
                    Clock.systemUTC(),
                    LogFormat.TEXT,
                    false))) {
      await("the socket", () -> Files.exists(live.storePath.resolve("kblake-run/socket")));
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> ServiceRequest.send(live.storePath, HandoverRequest.resetOfCounters()))
          .withMessage(
              "kblake run failed: java.lang.IllegalStateException: no counters; see its log");
      await("no request", () -> queue.requests().isEmpty());
    }
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("message=\"request is failed\"")
        .contains("no counters")
        .doesNotContain("cancelled");
  }
}
