package org.kblake.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class TerminalOutputTest {

  private static String shown(byte[] text, int piece, boolean escapes) throws IOException {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    try (TerminalOutput out = new TerminalOutput(terminal, escapes)) {
      for (int i = 0; i < text.length; i += piece) {
        out.write(text, i, Math.min(piece, text.length - i));
      }
    }
    return terminal.toString(UTF_8);
  }

  /** In whatever pieces the text is written. */
  private static void assertShown(byte[] text, String expected) throws IOException {
    for (int piece = 1; piece <= text.length; piece++) {
      assertThat(shown(text, piece, true)).as("pieces of %d bytes", piece).isEqualTo(expected);
    }
  }

  @Test
  void eachControlCharacterIsEscaped() throws IOException {
    for (int code = 0; code <= 0x9f; code++) {
      String text = "a" + (char) code + "b";
      boolean control = Character.isISOControl(code) && code != '\n' && code != '\t';
      assertShown(text.getBytes(UTF_8), control ? "a\\u00%02xb".formatted(code) : text);
    }
  }

  /** They make a name look like another one. */
  @Test
  void charactersThatChangeTheOrderOrPlaceOfOthersAreEscaped() throws IOException {
    for (char code :
        "\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff".toCharArray()) {
      assertShown(("a" + code).getBytes(UTF_8), "a\\u%04x".formatted((int) code));
    }
    assertShown("\udb40\udc01".getBytes(UTF_8), "\\U000e0001");
  }

  @Test
  void otherTextStays() throws IOException {
    String text = "µA 保管庫 😀 \\ é\ta line\r\nlast\n";
    assertShown(text.getBytes(UTF_8), text);
  }

  /** A terminal that does not expect UTF-8 takes such bytes for control characters. */
  @Test
  void bytesThatAreNotUtf8AreEscaped() throws IOException {
    assertShown(new byte[] {'a', (byte) 0x9b, '3', '1', 'm'}, "a\\x9b31m");
    assertShown(new byte[] {(byte) 0xe2, (byte) 0x80}, "\\xe2\\x80");
    assertShown(new byte[] {(byte) 0xe2, 0x1b, 'c'}, "\\xe2\\u001bc");
    assertShown(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, "\\xed\\xa0\\x80");
    assertShown(new byte[] {(byte) 0xc0, (byte) 0x9b}, "\\xc0\\x9b");
  }

  /** A text with the same sequence does not: it does not know what begins the program's own. */
  @Test
  void ownSequencesControlTheTerminal() throws IOException {
    String text = TerminalOutput.CONTROL + "31m\u001b[31m" + TerminalOutput.CONTROL.substring(0, 4);
    assertShown(
        text.getBytes(UTF_8), "\u001b[31m\\u001b[31m\\u001b" + text.substring(text.length() - 3));
  }

  @Test
  void nothingElseChangesWhereThereIsNoTerminal() throws IOException {
    byte[] text = ("\u001b[0m\r\u009b" + TerminalOutput.CONTROL + "31m\u202e").getBytes(UTF_8);
    assertThat(shown(text, 1, false)).isEqualTo("\u001b[0m\r\u009b\u001b[31m\u202e");
  }

  /** A log has lines of many threads. */
  @Test
  void linesOfSeveralThreadsStayWhole() throws Exception {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    TerminalOutput out = new TerminalOutput(terminal, true);
    byte[] line = "a line with \u30d3\u30fc\u30e0 and \u0007\n".getBytes(UTF_8);
    CompletableFuture<?>[] writers = new CompletableFuture<?>[4];
    for (int i = 0; i < writers.length; i++) {
      writers[i] =
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int j = 0; j < 20_000; j++) {
                    out.write(line, 0, line.length);
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
    CompletableFuture.allOf(writers).get(60, TimeUnit.SECONDS);
    assertThat(terminal.toString(UTF_8).lines())
        .hasSize(80_000)
        .allMatch("a line with \u30d3\u30fc\u30e0 and \\u0007"::equals);
  }
}
