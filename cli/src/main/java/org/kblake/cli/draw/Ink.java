package org.kblake.cli.draw;

import java.util.Locale;

/** A colour of a drawing. It has one value for light ground and one for dark ground. */
public enum Ink {
  GROUND(0xffffff, 0x16191d),
  TEXT(0x1f2429, 0xe6e8ea),
  /** Texts and lines of less weight than {@link #TEXT}. */
  MUTED(0x68707a, 0x9aa3ad),
  /** The lines of a grid. */
  FAINT(0xe4e7eb, 0x31373e),
  BLUE(0x1a66b0, 0x62b0f0),
  ORANGE(0xb54a00, 0xf59a52),
  GREEN(0x1b7a3d, 0x5cc988),
  PURPLE(0x7d3c98, 0xcb95e6),
  RED(0xb3261e, 0xf2817a),
  TEAL(0x0b7480, 0x4fc3d0);

  private final int light;
  private final int dark;

  Ink(int light, int dark) {
    this.light = light;
    this.dark = dark;
  }

  /** Returns the colour on light ground: red, green and blue, a byte each. */
  public int light() {
    return light;
  }

  /** Returns the colour on dark ground. */
  public int dark() {
    return dark;
  }

  /** Returns the name of the CSS class. */
  String cssClass() {
    return name().toLowerCase(Locale.ROOT);
  }
}
