package org.kblake.cli.command.status;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.kblake.cli.process.TerminalOutput;
import org.kblake.cli.process.Window;

/**
 * The alternate screen of a terminal. It shows as many lines as fit the window. After it is closed,
 * the terminal shows what it showed before.
 */
final class WatchScreen implements AutoCloseable {

  /** Switches to the alternate screen, and hides the cursor. */
  private static final String ENTER =
      TerminalOutput.CONTROL + "?1049h" + TerminalOutput.CONTROL + "?25l";

  /** Shows the cursor, and switches back. */
  private static final String LEAVE =
      TerminalOutput.CONTROL + "?25h" + TerminalOutput.CONTROL + "?1049l";

  private static final String TO_UPPER_LEFT = TerminalOutput.CONTROL + "H";
  private static final String ERASE_REST_OF_LINE = TerminalOutput.CONTROL + "K";
  private static final String ERASE_BELOW = TerminalOutput.CONTROL + "J";

  private final OutputStream out;
  private final boolean colored;

  /**
   * @param out the terminal
   * @param colored whether the lines have colours
   */
  WatchScreen(OutputStream out, boolean colored) throws IOException {
    this.out = out;
    this.colored = colored;
    write(ENTER);
  }

  /** Shows lines in place of the previous ones. The last line tells how many do not fit. */
  void show(List<StatusText.Line> lines, Window window) throws IOException {
    int fitting = lines.size() <= window.rows() ? lines.size() : window.rows() - 1;
    StringBuilder text = new StringBuilder(TO_UPPER_LEFT);
    for (int i = 0; i < fitting; i++) {
      text.append(i == 0 ? "" : "\r\n");
      text.append(lines.get(i).cut(window.columns()).colored(colored)).append(ERASE_REST_OF_LINE);
    }
    if (fitting < lines.size()) {
      text.append("\r\n").append(lines.size() - fitting).append(" more lines");
      text.append(ERASE_REST_OF_LINE);
    }
    write(text.append(ERASE_BELOW).toString());
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  @Override
  public void close() throws IOException {
    write(LEAVE);
  }
}
