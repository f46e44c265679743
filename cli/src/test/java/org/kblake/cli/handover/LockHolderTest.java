package org.kblake.cli.handover;

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
final class LockHolderTest {

  private static final String ENDED = "2016-05-16T00:00:00Z";

  @TempDir private Path store;

  private void write(String host, String since) throws IOException {
    Files.writeString(store.resolve("writer.lock"), text(host, since, ""));
  }

  private static String text(String host, String since, String end) {
    return "host=" + host + " pid=" + ThisProcess.pid() + " since=" + since + end;
  }

  private static LockHolder holder(String host, String since, String end) {
    return Objects.requireNonNull(LockHolder.parse(text(host, since, end)));
  }

  @Test
  void findsARunningProcess() throws IOException {
    Instant since = ThisProcess.since();
    write(ThisProcess.host(), since.toString());
    LockHolder writer = Objects.requireNonNull(LockHolder.running(store));
    assertThat(writer.pid()).isEqualTo(ThisProcess.pid());
    assertThat(writer.since()).isEqualTo(since);
    assertThat(writer.hasEnded()).isFalse();
  }

  @Test
  void processThatHasEndedIsNoWriter() throws IOException {
    write(ThisProcess.host(), ENDED);
    assertThat(LockHolder.running(store)).isNull();
    write("elsewhere", ThisProcess.since().toString());
    assertThat(LockHolder.running(store)).isNull();
  }

  @Test
  void damagedEntryIsNoWriter() throws IOException {
    assertThat(LockHolder.running(store)).isNull();
    write(ThisProcess.host(), "yesterday");
    assertThat(LockHolder.running(store)).isNull();
    Files.writeString(store.resolve("writer.lock"), "\0\0\0");
    assertThat(LockHolder.running(store)).isNull();
  }

  @Test
  void onlyAProcessThatMayRunIsNamedAsUnreachable() {
    String now = ThisProcess.since().toString();
    String here = ThisProcess.host();
    assertThat(holder(here, now, " requests=socket").unreachable()).isNull();
    assertThat(holder(here, now, "").unreachable()).isNull();
    assertThat(holder("elsewhere", now, "").unreachable()).isNull();
    assertThat(holder("elsewhere", ENDED, " requests=socket").unreachable())
        .startsWith("kblake run on another host has locked the store: host=elsewhere pid=");
    assertThat(holder(here, now, " requests=yes").unreachable())
        .startsWith("kblake run of an earlier version has locked the store");
    assertThat(holder(here, ENDED, " requests=yes").unreachable()).isNull();
    assertThat(holder(here, ENDED, " requests=yes").hasEnded()).isTrue();
  }
}
