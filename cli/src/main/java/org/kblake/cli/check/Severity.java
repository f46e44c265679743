package org.kblake.cli.check;

/** What Nagios makes of a finding, in the order in which one outweighs another. */
public enum Severity {
  OK(0),
  UNKNOWN(3),
  WARNING(1),
  CRITICAL(2);

  private final int status;

  Severity(int status) {
    this.status = status;
  }

  /** The exit status that says so. */
  public int status() {
    return status;
  }

  Severity worse(Severity other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
