package org.kblake.record.importing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.error.RequestException;
import org.kblake.core.log.PairName;

final class ImportStateTest {

  private static final List<String> NAMES = List.of("A", "B");

  @TempDir Path directory;

  private ImportState read() throws IOException {
    return ImportState.read(directory.resolve(".G.import"), "G");
  }

  private static PairName pair(int number) {
    return new PairName("G", "20260101%06d".formatted(number));
  }

  private ImportState written(int pairs) throws IOException {
    ImportState state = read();
    for (int i = 0; i < pairs; i++) {
      state.add(pair(i), 1000 + i, i, NAMES);
    }
    return state;
  }

  /** Otherwise an import of many pairs writes most of the time what it has written. */
  @Test
  void aPairAddsABoundedNumberOfBytes() throws IOException {
    ImportState state = written(100);
    long before = Files.size(state.file());
    state.add(pair(100), 2000, 7, List.of("B", "C"));
    assertThat(Files.readString(state.file()).substring((int) before))
        .isEqualTo("channel C\npair 20260101000100\nuntil 2000 7\n");
    ImportState again = read();
    assertThat(again.pairs()).hasSize(101).isEqualTo(state.pairs());
    assertThat(again.untilNanos()).isEqualTo(2000);
    assertThat(again.eventsThere()).isEqualTo(7);
    assertThat(again.hasChannel("C")).isTrue();
    assertThat(again.hasChannel("D")).isFalse();
  }

  /** A kill or a power cut in the middle of a write leaves the pairs before it. */
  @Test
  void whatIsNotWrittenToItsEndDoesNotCount() throws IOException {
    Path file = written(1).file();
    byte[] one = Files.readAllBytes(file);
    byte[] two = Files.readAllBytes(written(2).file());
    for (int bytes = one.length; bytes <= two.length; bytes++) {
      Files.write(file, Arrays.copyOf(two, bytes));
      assertThat(read().pairs()).hasSize(bytes == two.length ? 2 : 1);
    }
    Files.write(file, Arrays.copyOf(two, two.length - 3));
    read().add(pair(5), 3000, 1, NAMES);
    assertThat(read().pairs()).containsExactly(pair(0), pair(5));
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    assertThat(read().pairs()).isEmpty();
    for (String text : List.of("", "x\nuntil 1 1\n", "kblake import 1\nuntil 1\n", "\0")) {
      Files.writeString(directory.resolve(".G.import"), text);
      assertThatThrownBy(this::read)
          .isInstanceOf(RequestException.class)
          .hasMessageStartingWith("not the state of an import");
    }
  }
}
