package org.kblake.cli.run.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StatusFileTest {

  private static final Instant NOW = Instant.parse(SampleStatuses.WRITTEN);

  @TempDir private Path store;

  @Test
  void readsTheWrittenStatus() throws IOException {
    assertThat(StatusFile.read(store)).isNull();
    new StatusFile(store).write(SampleStatuses.running("a volume is gone"), NOW);
    assertThat(StatusFile.read(store)).isEqualTo(SampleStatuses.running("a volume is gone"));
    try (var files = Files.list(store)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(StatusFile.NAME, StatusFile.NAME + ".room");
    }
  }

  /** The new file is on a device that is full until the spare file is removed. */
  @Test
  void isReplacedOnAFullDisk() throws IOException {
    StatusFile file = new StatusFile(store);
    file.write(SampleStatuses.running(), NOW);
    Path fresh = store.resolve(StatusFile.NAME + ".new");
    for (String problem : List.of("No space left on device", "another")) {
      Files.createSymbolicLink(fresh, Path.of("/dev/full"));
      file.write(SampleStatuses.running(problem), NOW);
      assertThat(StatusFile.read(store)).isEqualTo(SampleStatuses.running(problem));
      assertThat(store.resolve(StatusFile.NAME + ".room")).isNotEmptyFile();
      assertThat(fresh).doesNotExist();
    }
  }

  /** An idle process must not wear out an SSD. */
  @Test
  void isWrittenAfterAChangeAndAtAnInterval() throws IOException {
    StatusFile file = new StatusFile(store);
    file.write(SampleStatuses.running(), NOW);
    Files.delete(store.resolve(StatusFile.NAME));

    file.write(SampleStatuses.running().at(RunStatus.State.running, "later"), NOW.plusSeconds(5));
    assertThat(StatusFile.read(store)).isNull();
    file.write(SampleStatuses.running("news"), NOW.plusSeconds(5));
    assertThat(StatusFile.read(store)).isNotNull();
    Files.delete(store.resolve(StatusFile.NAME));
    file.write(SampleStatuses.running("news"), NOW.plusSeconds(35));
    assertThat(StatusFile.read(store)).isNotNull();
  }

  /** Otherwise the process would seem dead after a clock was set back. */
  @Test
  void isWrittenWhenTheClockWasSetBack() throws IOException {
    StatusFile file = new StatusFile(store);
    file.write(SampleStatuses.running(), NOW);
    Files.delete(store.resolve(StatusFile.NAME));
    file.write(SampleStatuses.running(), NOW.minusSeconds(3600));
    assertThat(StatusFile.read(store)).isNotNull();
  }

  @Test
  void newerVersionsAreReadAndDamageIsReported() throws IOException {
    Path file = store.resolve(StatusFile.NAME);
    new StatusFile(store).write(SampleStatuses.running(), NOW);
    String written = Files.readString(file);
    assertThat(written).startsWith("{\"version\":1,");
    Files.writeString(file, written.replace("{\"version\":1", "{\"version\":2,\"more\":{}"));
    assertThat(StatusFile.read(store)).isNotNull();
    for (String damaged :
        List.of(
            "",
            "{",
            "[]",
            written.substring(0, written.length() / 2),
            written.replace("{\"version\":1", "{\"version\":1,\"host\":[]"))) {
      Files.writeString(file, damaged);
      assertThatIOException()
          .as(damaged)
          .isThrownBy(() -> StatusFile.read(store))
          .withMessageStartingWith("status file is damaged: file=" + file);
    }
  }
}
