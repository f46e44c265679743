package org.kblake.cli.check;

/** The severity of a finding, from the least to the most severe. */
public enum Severity {
  OK(0),
  UNKNOWN(3),
  WARNING(1),
  CRITICAL(2);

  private final int status;

  Severity(int status) {
    this.status = status;
  }

  /** Returns the exit status for Nagios. */
  public int status() {
    return status;
  }

  Severity worse(Severity other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
