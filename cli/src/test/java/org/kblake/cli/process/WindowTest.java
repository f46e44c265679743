package org.kblake.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class WindowTest {

  @Test
  void sizeIsThatOfTheTerminalIfItTells() {
    assertThat(Window.parse("50 132")).isEqualTo(new Window(50, 132));
    // A terminal over a serial line has no size.
    for (String none : List.of("0 0", "", "stty: standard input", "24")) {
      assertThat(Window.parse(none)).as(none).isEqualTo(Window.USUAL);
    }
  }
}
