package org.kblake.cli.handover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.handover.HandoverAnswer.Problem;

final class JsonLinesTest {

  private static final int MAX_BYTES = 100;

  @TempDir private Path directory;
  private SocketPair pair;
  private JsonLines<HandoverAnswer> lines;

  @BeforeEach
  void connect() throws IOException {
    pair = SocketPair.in(directory);
    lines = new JsonLines<>(pair.own(), HandoverAnswer.class, "answer", MAX_BYTES);
  }

  @AfterEach
  void close() throws IOException {
    pair.close();
  }

  private HandoverAnswer next() throws IOException {
    return Objects.requireNonNull(lines.next());
  }

  @Test
  void valueMayArriveInPieces() throws IOException {
    assertThat(lines.next()).isNull();
    pair.send("{\"host\":\"kek");
    assertThat(lines.next()).isNull();
    pair.send("\",\"pid\":7,\"unknown\":[1]}\n{\"pid\":8}\n{");
    assertThat(next().host()).isEqualTo("kek");
    HandoverAnswer second = next();
    assertThat(second.pid()).isEqualTo(8);
    assertThat(second.host()).isEmpty();
    assertThat(second.state()).isEqualTo(HandoverAnswer.State.waiting);
    assertThat(second.problems()).isEmpty();
    assertThat(lines.next()).isNull();
    pair.peer().close();
    assertThatExceptionOfType(EOFException.class).isThrownBy(lines::next);
  }

  /** What a message blames is what the peer has sent. */
  @Test
  void invalidLinesAreNamed() throws IOException {
    for (String line :
        List.of(
            "nonsense",
            "[]",
            "{\"state\":\"asleep\"}",
            "{\"problems\":[{\"message\":\"of no group\"}]}",
            "{\"problems\":[{\"group\":\"VA\"}]}")) {
      pair.send(line + "\n");
      assertThatExceptionOfType(ProtocolException.class)
          .as(line)
          .isThrownBy(lines::next)
          .withMessageStartingWith("answer is not valid: found=");
    }
    pair.send("null\n");
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(lines::next)
        .withMessage("answer is empty");
    pair.send("{\"problems\":[{\"group\":\"VA/CCG\"}]}\n");
    assertThat(next().problems()).containsExactly(new Problem("VA/CCG", ""));
  }

  @Test
  void longLineIsRefused() throws IOException {
    pair.send("{}" + " ".repeat(MAX_BYTES - 2) + "\n" + " ".repeat(MAX_BYTES));
    assertThat(next().problems()).isEmpty();
    assertThat(lines.next()).isNull();
    pair.send(" ");
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(lines::next)
        .withMessage("answer is too large: most bytes=100");
  }

  @Test
  void valueIsWrittenAsThePeerTakesIt() throws IOException {
    lines.put(List.of("x".repeat(4 << 20)));
    assertThat(lines.flush()).isFalse();
    int read = 0;
    while (!lines.flush()) {
      read += Channels.newInputStream(pair.peer()).readNBytes(1 << 10).length;
    }
    pair.own().close();
    byte[] rest = Channels.newInputStream(pair.peer()).readAllBytes();
    assertThat(read + rest.length).isEqualTo((4 << 20) + 5);
    assertThat(new String(rest, StandardCharsets.UTF_8)).endsWith("x\"]\n");
  }
}
