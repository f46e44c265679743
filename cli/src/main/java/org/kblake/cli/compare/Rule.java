package org.kblake.cli.compare;

/** The rules of kblogrd's specification that two programs may implement differently. */
public enum Rule {
  STATUS("Status and errors: 0 done, 1 unknown record or group, 2 bad arguments, 3 incomplete"),
  TIME("free: MM/dd/yyyy HH:mm:ss.cc, exactly two fraction digits, truncated"),
  RANGE_START("Arguments: raw output does not begin with the value held at START"),
  RANGE_END("Arguments: END includes its whole second"),
  ORDER(
      "free: one line per event in log order; on a grid connection events first, then -r's order"),
  CONNECTION("free: Connected or Disconnected in place of the value"),
  NUMBER("free: float and double %e of C with 6 decimals, integers and enums plain decimal"),
  NOT_FINITE("free: NaN, INF, -INF"),
  STRING("free: strings as they are; tab, newline and backslash as \\t, \\n, \\\\"),
  STRING_CELL("kaleida: an empty string is \"\", a blank inside a string _"),
  NO_VALUE("kaleida: a record without value yet is NaN; free: it has no line"),
  COLUMNS("kaleida: columns in the order of -r, a repeated name repeats, REC[i] for waveforms"),
  WAVEFORM("free: all elements on the line; kaleida: missing elements are NaN"),
  ROWS_STOP("kaleida: rows stop at the latest event of the group's last pair that has events"),
  HELD("Arguments: the value held at T is the last in log order with time <= T, strays left out"),
  GRID("Arguments: grid START, START+N, ... END, both ends included"),
  SAD("sad: {{\"RECORD\",{{t,v},...}},...}, t since 1900 in the archive's zone, three decimals"),
  EVENTS("free: one line per event in log order, strays left out");

  private final String text;

  Rule(String text) {
    this.text = text;
  }

  /** Returns the section of the specification and the rule. */
  public String text() {
    return text;
  }
}
