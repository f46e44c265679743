package org.kblake.core.layout;

/** The kind of a file that is not KEKBLog, by its first bytes. */
public enum ForeignKind {
  GZIP("1f8b", "gzip", true),
  ZSTD("28b52ffd", "Zstandard", true),
  XZ("fd377a585a00", "xz", true),
  BZIP2("425a68", "bzip2", true),
  LZ4("04224d18", "LZ4", true),
  ZIP("504b0304", "zip", true),
  PARQUET("50415231", "Parquet", false),
  ARROW("4152524f5731", "Arrow", false),
  HDF5("894844460d0a1a0a", "HDF5", false),
  ELF("7f454c46", "a program", false),
  UNKNOWN("", "", false);

  private final String begin;
  private final String text;
  private final boolean packed;

  /**
   * @param begin the first bytes of such a file, as hexadecimal digits
   */
  ForeignKind(String begin, String text, boolean packed) {
    this.begin = begin;
    this.text = text;
    this.packed = packed;
  }

  /** Returns the kind of a file with these first bytes, given as hexadecimal digits. */
  public static ForeignKind of(String hex) {
    for (ForeignKind kind : values()) {
      if (hex.startsWith(kind.begin)) {
        return kind;
      }
    }
    return UNKNOWN;
  }

  /** Returns a text for messages, behind the bytes: {@code (gzip)}, or nothing. */
  public String found() {
    return this == UNKNOWN ? "" : " (" + text + ")";
  }

  /** Returns what a user can do about such a file, for messages. */
  public String remedy() {
    if (packed) {
      return "unpack it first";
    }
    return this == UNKNOWN
        ? "give a pair's .log1 or .log2 file, or register a LogLayout for it"
        : "give a pair's .log1 or .log2 file";
  }
}
