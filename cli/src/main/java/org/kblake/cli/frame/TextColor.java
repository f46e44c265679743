package org.kblake.cli.frame;

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

  /** Returns a text in this colour. */
  public String of(String text) {
    return "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
