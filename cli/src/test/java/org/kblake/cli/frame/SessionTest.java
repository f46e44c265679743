package org.kblake.cli.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.kblake.cli.process.ProcessEnvironment;

final class SessionTest {

  private static Session onTerminal(Map<String, String> variables) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    return new Session(
        new ProcessEnvironment(
            InputStream.nullInputStream(),
            out,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            variables,
            Path.of(""),
            Clock.systemUTC(),
            true,
            true),
        new CommonOptions());
  }

  /** The launcher sets LC_ALL=C.UTF-8 for Java, and KBLAKE_LOCALE to the user's locale. */
  @Test
  void terminalShowsUnicodeIfTheLocaleOfItsUserDoes() {
    assertThat(onTerminal(Map.of("LANG", "ja_JP.UTF-8")).outShowsUnicode()).isTrue();
    assertThat(
            onTerminal(Map.of("KBLAKE_LOCALE", "ja_JP.utf8", "LANG", "ja_JP.utf8"))
                .outShowsUnicode())
        .isTrue();
    assertThat(onTerminal(Map.of("LC_ALL", "C", "LANG", "ja_JP.UTF-8")).outShowsUnicode())
        .isFalse();
    assertThat(onTerminal(Map.of("KBLAKE_LOCALE", "C", "LC_ALL", "C.UTF-8")).outShowsUnicode())
        .isFalse();
  }
}
