package org.kblake.ship.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeProcess;
import org.kblake.cli.error.RequestException;
import org.kblake.core.internal.fixture.RandomLogs;

/** A directory of states is of one process. */
final class StateDirectoryTest {

  private static final ShipOrder ORDER = ShipOrder.of("ndjson", List.of("*"), 0);

  @TempDir Path directory;

  /** POSIX would release the lock if this process closed another descriptor of the file. */
  @Test
  void aLockOutlastsASecondTryOfItsProcess() throws Exception {
    RandomLogs.write(directory.resolve("logs"), 7);
    Path states = directory.resolve("states");
    try (StateDirectory open = StateDirectory.open(states, ORDER, null)) {
      assertThatThrownBy(() -> StateDirectory.open(states, open.order(), null))
          .isInstanceOf(RequestException.class)
          .hasMessageContaining("another kblake ship has this --state");
      List<String> line = List.of("ship", "ndjson", "--state", "states");
      try (KblakeProcess other = KblakeProcess.start(directory, directory.resolve("logs"), line)) {
        assertThat(other.status()).isNotZero();
        assertThat(other.output()).contains("another kblake ship has this --state", "pid=");
      }
    }
    StateDirectory.open(states, ORDER, null).close();
  }

  @Test
  void anOrderDoesNotDependOnTheSequenceOfChannels() {
    assertThat(ShipOrder.of("r", List.of("b c", "a", "a"), 0))
        .isEqualTo(ShipOrder.of("r", List.of("a", "b c"), 0))
        .isNotEqualTo(ShipOrder.of("r", List.of("a", "b", "c"), 0));
  }
}
