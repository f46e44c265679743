package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.record.group.RecorderFixture.MINUTE;
import static org.kblake.record.group.SetClock.SECOND;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers choose pairs by their names, which must lead to the events. */
final class NamesOfPairsTest {

  @TempDir Path directory;
  private Path root;
  private RecorderFixture fixture;

  @BeforeEach
  void make() throws IOException {
    root = Files.createDirectory(directory.resolve("archive"));
    fixture = new RecorderFixture(root);
  }

  @Test
  void eventsThatWaitedForDaysAreFoundByRanges() throws IOException {
    fixture.begin("A").connect("A");
    fixture.pass(2 * SECOND);
    long vanished = fixture.clock.wallNanos();
    Path away = directory.resolve("away");
    Files.move(root, away);
    for (int hour = 0; hour < 49; hour++) {
      fixture.pass(60 * MINUTE);
      fixture.source.value("A", hour);
    }
    Files.move(away, root);
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(LoggedEvents.inRange(root, vanished, vanished + 8 * 60 * MINUTE + 1)).isEqualTo(8);
  }

  @Test
  void namesAheadOfTheClockAreReported() throws IOException {
    fixture.begin("A").connect("A");
    fixture.pass(2 * SECOND);
    fixture.clock.set(3 * 24 * 60 * MINUTE);
    fixture.source.value("A", 0);
    fixture.recorder().rotate();
    fixture.pass(2 * SECOND);
    fixture.source.value("A", 0);
    fixture.pass(2 * SECOND);
    fixture.clock.set(-3 * 24 * 60 * MINUTE);
    for (int hour = 0; hour < 8; hour++) {
      fixture.source.value("A", hour);
      fixture.pass(60 * MINUTE);
    }
    fixture.recorder().rotate();
    fixture.pass(2 * SECOND);
    fixture.source.value("A", 8);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.notices).filteredOn(line -> line.contains("ahead of the clock")).hasSize(2);
  }
}
