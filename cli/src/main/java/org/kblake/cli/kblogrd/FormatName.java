package org.kblake.cli.kblogrd;

/** The formats of {@code -f}. */
enum FormatName {
  FREE("free"),
  SAD("sad"),
  KALEIDA("kaleida"),
  CSV("csv");

  private final String text;

  FormatName(String text) {
    this.text = text;
  }

  /** As an argument says it. */
  String text() {
    return text;
  }
}
