package org.kblake.cli.progress;

import org.kblake.format.argument.ByteSize;

/** The units of work. */
public enum ProgressUnit {
  BYTES(" MiB", 1 << 20),
  GROUPS(" groups", 1),
  REQUESTS(" requests", 1),
  ROWS(" rows", 1);

  private final String shown;
  private final long amount;

  ProgressUnit(String shown, long amount) {
    this.shown = shown;
    this.amount = amount;
  }

  /** Returns the unit that a bar shows, with a blank before it. */
  String shown() {
    return shown;
  }

  /** Returns the work of a unit that a bar shows. */
  long amount() {
    return amount;
  }

  String of(long work) {
    return this == BYTES ? new ByteSize(work).toString() : work + shown;
  }
}
