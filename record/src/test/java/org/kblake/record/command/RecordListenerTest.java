package org.kblake.record.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.kblake.cli.run.settings.LogFormat;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.cli.run.status.MetricsServer;

/** A standby that takes over must not end because of its metrics. */
final class RecordListenerTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Deque<IOException> failures = new ArrayDeque<>();
  private int tries;
  private long nanos;

  private final RecordListener listener =
      new RecordListener(
          this::open,
          new RunLog(
              new PrintStream(out, true, StandardCharsets.UTF_8),
              Clock.systemUTC(),
              LogFormat.TEXT,
              false),
          () -> nanos);

  private @Nullable MetricsServer open() throws IOException {
    tries++;
    IOException failure = failures.poll();
    if (failure != null) {
      throw failure;
    }
    return null;
  }

  private static IOException failure(String message, Exception cause) {
    return new IOException(message, cause);
  }

  @Test
  void aRecorderGoesOnWhateverALaterTryMeets() throws IOException {
    failures.add(failure("in use", new BindException()));
    failures.add(failure("unresolved", new SocketException()));
    failures.add(failure("unresolved", new SocketException()));
    listener.begin(true);
    for (int i = 0; i < 50; i++) {
      nanos += TimeUnit.SECONDS.toNanos(1);
      listener.tryAgain();
    }
    assertThat(tries).isEqualTo(4);
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .hasSize(2)
        .first()
        .asString()
        .contains("does not listen yet", "in use");
  }

  @Test
  void anAddressThatIsWrongFromTheBeginEndsIt() {
    failures.add(failure("unresolved", new SocketException()));
    assertThatThrownBy(() -> listener.begin(true)).hasMessage("unresolved");
    failures.add(failure("in use", new BindException()));
    assertThatThrownBy(() -> listener.begin(false)).hasMessage("in use");
  }
}
