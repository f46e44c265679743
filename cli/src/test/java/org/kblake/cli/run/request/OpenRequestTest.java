package org.kblake.cli.run.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.Channels;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.handover.HandoverAnswer.State;
import org.kblake.cli.handover.SocketPair;
import org.kblake.core.model.Group;

final class OpenRequestTest {

  private static final String LINE = "{\"version\":1,\"what\":\"reset-counters\"}\n";

  @TempDir private Path directory;
  private SocketPair pair;
  private Selector selector;
  private OpenRequest request;

  /** The time may be negative, as that of the system may. */
  private long nanos = -7;

  @BeforeEach
  void open() throws IOException {
    pair = SocketPair.in(directory);
    selector = Selector.open();
    request = new OpenRequest(pair.own(), selector, () -> nanos);
  }

  @AfterEach
  void close() throws IOException {
    request.close();
    pair.close();
    selector.close();
  }

  private void pass(long seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void requestMustArriveWithinAMinute() throws IOException {
    assertThat(request.receive()).isNull();
    pass(60);
    assertThat(request.send()).isFalse();
    pass(1);
    assertThat(request.send()).isTrue();
  }

  /** A peer that is busy while the work goes on still has a minute for the last answer. */
  @Test
  void peerHasAMinuteForTheLastAnswer() throws IOException {
    pair.send(LINE);
    assertThat(request.receive()).isNotNull();
    for (int i = 0; i < 1000; i++) {
      request.work.problem(new Group("VA", "CCG"), "x".repeat(4 << 10));
    }
    assertThat(request.send()).isFalse();
    pass(3600);
    assertThat(request.send()).isFalse();
    request.work.become(State.done, "");
    assertThat(request.send()).isFalse();
    pass(60);
    assertThat(request.send()).isFalse();
    pass(1);
    assertThat(request.send()).isTrue();
  }

  @Test
  void peerIsToldAChangeAtOnceAndASignOfLifeEveryTenSeconds() throws IOException {
    pair.send(LINE);
    assertThat(request.receive()).isNotNull();
    assertThat(request.send()).isFalse();
    pass(10);
    assertThat(request.send()).isFalse();
    pass(1);
    assertThat(request.send()).isFalse();
    request.work.become(State.done, "");
    assertThat(request.send()).isTrue();
    pair.own().close();
    String sent =
        new String(Channels.newInputStream(pair.peer()).readAllBytes(), StandardCharsets.UTF_8);
    assertThat(sent.lines()).hasSize(3);
    assertThat(sent.lines().filter(line -> line.contains("\"state\":\"waiting\""))).hasSize(2);
  }

  /** Its work is cancelled, and cannot end as anything else. */
  @Test
  void secondLineEndsTheRequest() throws IOException {
    CompletableFuture<Void> work = new CompletableFuture<>();
    pair.send(LINE + LINE);
    assertThat(request.receive()).isNotNull();
    request.underWay(work);
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(request::receive)
        .withMessage("request has more than one line");
    request.end(State.refused, "request has more than one line");
    assertThat(work).isCancelled();
    request.work.become(State.done, "");
    assertThat(request.work.answer(0).state()).isEqualTo(State.refused);
    assertThat(request.send()).isTrue();
  }
}
