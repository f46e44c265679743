package org.kblake.ship.influx;

/** The versions of InfluxDB, by their protocols. */
public enum InfluxVersion {
  V1("1"),
  V2("2"),
  V3("3");

  private final String text;

  InfluxVersion(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
