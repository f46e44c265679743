package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.store.Pins;
import org.kblake.core.model.Group;
import org.kblake.test.fixture.CommandFixture;

/**
 * {@code kblake pin} lists the groups whose blocks are not evicted. {@code --no-admit} leaves no
 * access record.
 */
final class PinCommandTest {

  private static final Group CCG = new Group("VA", "CCG");

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeEach
  void backfill() throws IOException {
    kblake = CommandFixture.mixed(directory);
    assertThat(kblake.run("backfill").status()).isZero();
  }

  @Test
  void pinsListsAndUnpins() throws IOException {
    assertThat(kblake.run("pin").out()).isEmpty();
    assertThat(kblake.run("pin", "VA/CCG").status()).isZero();
    assertThat(kblake.run("pin").out()).isEqualTo("VA/CCG\tforever\n");
    assertThat(kblake.run("pin", "VA/CCG", "--for", "7d").status()).isZero();
    Map<Group, Instant> pins = new Pins(kblake.store()).at(Instant.EPOCH);
    assertThat(pins).containsOnlyKeys(CCG);
    assertThat(pins.get(CCG)).isBefore(Pins.FOREVER);
    assertThat(kblake.run("pin", "--remove", "VA/CCG").status()).isZero();
    assertThat(kblake.run("pin").out()).isEmpty();
    KblakeRun again = kblake.run("pin", "--remove", "VA/CCG");
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.err()).contains("group is not pinned: VA/CCG");
  }

  @Test
  void unknownGroupIsRefused() {
    KblakeRun run = kblake.run("pin", "VA/CGG");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("no such group in the archive: VA/CGG", "VA/CCG");
  }

  @Test
  void wrongUsageIsStatusTwo() {
    assertThat(kblake.run("pin", "--for", "7d").status()).isEqualTo(2);
    assertThat(kblake.run("pin", "--remove").status()).isEqualTo(2);
    assertThat(kblake.run("pin", "--remove", "--for", "1d", "VA/CCG").status()).isEqualTo(2);
  }

  @Test
  void readerWritesAnAccessRecordUnlessItIsSwitchedOff() throws IOException {
    Path records = Files.createDirectories(kblake.store().resolve("access")).resolve("records");
    assertThat(get("--no-admit").status()).isZero();
    assertThat(records).doesNotExist();
    assertThat(get("--source=auto").status()).isZero();
    assertThat(records).content().contains(" VA/CCG ", " columns ");
  }

  private KblakeRun get(String option) {
    return kblake.run(
        "get", option, "-g", "VA/CCG", "*", "--from", "2016-05-01", "--to", "2016-06-01");
  }
}
