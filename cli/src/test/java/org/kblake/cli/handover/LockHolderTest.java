package org.kblake.cli.command.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.process.ThisProcess;

/** The process that the file of the writer lock names. */
final class RunningWriterTest {

  @TempDir private Path store;

  private void write(String host, long pid, String since) throws IOException {
    Files.writeString(
        store.resolve("writer.lock"), "host=" + host + " pid=" + pid + " since=" + since);
  }

  @Test
  void findsARunningProcess() throws IOException {
    long pid = ProcessHandle.current().pid();
    Instant since = ThisProcess.since();
    write(ThisProcess.host(), pid, since.toString());
    RunningWriter writer = Objects.requireNonNull(RunningWriter.of(store));
    assertThat(writer.pid()).isEqualTo(pid);
    assertThat(writer.since()).isEqualTo(since);
  }

  @Test
  void processThatHasEndedIsNoWriter() throws IOException {
    write(ThisProcess.host(), ProcessHandle.current().pid(), "2016-05-16T00:00:00Z");
    assertThat(RunningWriter.of(store)).isNull();
    write("elsewhere", ProcessHandle.current().pid(), ThisProcess.since().toString());
    assertThat(RunningWriter.of(store)).isNull();
  }

  @Test
  void damagedEntryIsNoWriter() throws IOException {
    assertThat(RunningWriter.of(store)).isNull();
    write(ThisProcess.host(), ProcessHandle.current().pid(), "yesterday");
    assertThat(RunningWriter.of(store)).isNull();
    Files.writeString(store.resolve("writer.lock"), "\0\0\0");
    assertThat(RunningWriter.of(store)).isNull();
  }
}
