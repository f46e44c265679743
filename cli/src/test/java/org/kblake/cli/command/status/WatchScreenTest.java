package org.kblake.cli.command.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.kblake.cli.frame.TextColor;
import org.kblake.cli.process.TerminalOutput;
import org.kblake.cli.process.Window;

final class WatchScreenTest {

  private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();

  private String shown() {
    String text = terminal.toString(StandardCharsets.UTF_8);
    terminal.reset();
    return text;
  }

  /** A line that wraps, or a line below the last one, would scroll the first lines away. */
  @Test
  void showsWhatFitsTheWindowAndRestoresTheScreen() throws IOException {
    List<StatusText.Line> lines =
        IntStream.range(0, 5)
            .mapToObj(i -> new StatusText.Line("a line of text " + i, TextColor.RED))
            .toList();
    try (WatchScreen screen = new WatchScreen(new TerminalOutput(terminal, true), true)) {
      assertThat(shown()).isEqualTo("\u001b[?1049h\u001b[?25l");
      screen.show(lines, new Window(3, 6));
      assertThat(shown())
          .isEqualTo(
              "\u001b[H\u001b[31ma line\u001b[0m\u001b[K\r\n\u001b[31ma line\u001b[0m\u001b[K\r\n"
                  + "3 more lines\u001b[K\u001b[J");
      screen.show(lines, new Window(5, 80));
      assertThat(shown()).contains("a line of text 4").doesNotContain("more");
    }
    assertThat(shown()).isEqualTo("\u001b[?25h\u001b[?1049l");
  }

  /** A path with wide characters must not wrap either. */
  @Test
  void wideCharactersTakeTwoColumns() {
    StatusText.Line line = new StatusText.Line("a 保管庫 b", null);
    assertThat(line.cut(10)).isSameAs(line);
    assertThat(line.cut(8).text()).isEqualTo("a 保管庫");
    assertThat(line.cut(7).text()).isEqualTo("a 保管");
  }
}
