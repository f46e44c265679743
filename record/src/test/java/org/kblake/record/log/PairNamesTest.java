package org.kblake.record.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.log.PairName;

/** A new pair is the last one, and another program's pairs are seen. */
final class PairNamesTest {

  @TempDir Path directory;

  private PairNames names() {
    return new PairNames(
        new PairDirectories(LogFiles.DISK), directory, "CCG", ZoneId.of("Asia/Tokyo"));
  }

  private String next(String time) throws IOException {
    long nanos = Instant.parse(time).getEpochSecond() * 1_000_000_000;
    return names().next(nanos, names().existing()).stamp();
  }

  @Test
  void theFirstPairHasTheLocalTime() throws IOException {
    assertThat(next("2026-03-01T00:00:00Z")).isEqualTo("20260301090000");
  }

  /** Files of other groups, and names that are no times, have no place in the order. */
  @Test
  void otherFilesAreIgnored() throws IOException {
    Files.createFile(directory.resolve("CCG2_20990101000000.log2"));
    Files.createFile(directory.resolve("CCG_99999999999999.log2"));
    Files.createFile(directory.resolve("CCG_20990101000000.log2.gz"));
    assertThat(next("2026-03-01T00:00:00Z")).isEqualTo("20260301090000");
  }

  @ParameterizedTest
  @CsvSource({
    "20260301085959, 20260301090000",
    "20260301090000, 20260301090001",
    "20270101000000, 20270101000001",
    "20261231235959, 20270101000000",
    "20261231235960, 20270101000000",
  })
  void aPairIsLaterThanTheLastOne(String last, String next) throws IOException {
    // One file is enough, and it may be a link whose volume is away.
    Files.createSymbolicLink(directory.resolve("CCG_" + last + ".log1"), Path.of("nowhere"));
    assertThat(next("2026-03-01T00:00:00Z")).isEqualTo(next);
    assertThat(next).isGreaterThan(last);
  }

  @Test
  void aPairOfAnotherProgramThatGrowsIsSeen() throws IOException {
    Path log = Files.writeString(directory.resolve("CCG_20260301090000.log2"), "1");
    OtherWriters others = new OtherWriters(names(), "VA/CCG");
    assertThat(others.list()).containsExactly(new PairName("CCG", "20260301090000"));
    others.check();
    Files.writeString(log, "12");
    others.check();
    Files.writeString(log, "123");
    assertThatThrownBy(others::check)
        .isInstanceOf(OtherWriterException.class)
        .hasMessage(
            "group is recorded by another program: group=VA/CCG, whose file"
                + " CCG_20260301090000.log2 had 2 bytes, and has 3 now;"
                + " stop that program, or record another group");
  }

  /** Old pairs may be links into volumes that come and go. */
  @Test
  void aVolumeThatComesAndGoesIsNoWriter() throws IOException {
    Path volume = Files.createDirectory(directory.resolve("volume"));
    Path log = volume.resolve("CCG_20260301090000.log2");
    Files.createSymbolicLink(directory.resolve("CCG_20260301090000.log2"), log);
    OtherWriters others = new OtherWriters(names(), "VA/CCG");
    others.list();
    Files.writeString(log, "1");
    others.check();
    Files.delete(log);
    others.check();
    Files.writeString(log, "1");
    assertThatCode(others::check).doesNotThrowAnyException();
  }
}
