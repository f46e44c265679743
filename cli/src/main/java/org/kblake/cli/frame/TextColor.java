package org.kblake.cli.frame;

import org.kblake.cli.process.TerminalOutput;

/**
 * The colours of text on a terminal. All are readable on dark and on light ground, which yellow is
 * not.
 */
public enum TextColor {
  RED("31"),
  GREEN("32"),
  MAGENTA("35"),
  BOLD("1");

  private final String code;

  TextColor(String code) {
    this.code = code;
  }

  /** Returns a text in this colour, for {@link TerminalOutput}. */
  public String of(String text) {
    return TerminalOutput.CONTROL + code + "m" + text + TerminalOutput.CONTROL + "0m";
  }
}
