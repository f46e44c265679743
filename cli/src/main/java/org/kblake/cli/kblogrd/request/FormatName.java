package org.kblake.cli.kblogrd.request;

/** The formats of {@code -f}. */
public enum FormatName {
  FREE("free"),
  SAD("sad"),
  KALEIDA("kaleida"),
  CSV("csv");

  private final String text;

  FormatName(String text) {
    this.text = text;
  }

  /** Returns the name in arguments. */
  String text() {
    return text;
  }
}
