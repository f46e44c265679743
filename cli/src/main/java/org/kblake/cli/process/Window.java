package org.kblake.cli.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * The size of the terminal's window.
 *
 * @param rows the number of lines
 * @param columns the number of characters of a line
 */
public record Window(int rows, int columns) {

  /** The window of a terminal that does not tell its size. */
  public static final Window USUAL = new Window(24, 80);

  private static final File TERMINAL = new File("/dev/tty");
  private static final long TIMEOUT_SECONDS = 1;

  /** Returns the present window of this process's terminal, by the command {@code stty}. */
  public static Window now() throws InterruptedException {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(TERMINAL)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!stty.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        stty.destroyForcibly();
        return USUAL;
      }
      return parse(
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip());
    } catch (IOException e) {
      // There is no terminal, or no such command.
      return USUAL;
    }
  }

  static Window parse(String text) {
    if (!text.matches("[1-9]\\d{0,4} [1-9]\\d{0,4}")) {
      return USUAL;
    }
    int blank = text.indexOf(' ');
    return new Window(
        Integer.parseInt(text.substring(0, blank)), Integer.parseInt(text.substring(blank + 1)));
  }
}
