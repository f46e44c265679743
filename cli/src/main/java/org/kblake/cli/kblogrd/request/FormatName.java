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

  /** As an argument says it. */
  String text() {
    return text;
  }
}
