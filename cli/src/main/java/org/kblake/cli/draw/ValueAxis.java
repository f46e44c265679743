package org.kblake.cli.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An axis of numbers. Its ticks are multiples of 1, 2 or 5 times a power of ten.
 *
 * @param lowest the least number of the axis, finite
 * @param highest the greatest number, finite and greater than {@code lowest}
 */
public record ValueAxis(double lowest, double highest) {

  /** The exponents of numbers that are written without one. */
  private static final int MIN_EXPONENT = -4;

  private static final int MAX_EXPONENT = 6;

  private static final int[] STEPS = {1, 2, 5};

  /** A number of the axis and its text. */
  public record Tick(double value, String label) {}

  /**
   * Returns an axis that has all of these numbers. Without a number it is from 0 to 1. If they are
   * all the same, it is wider.
   *
   * @param least the least number, not finite if there is none
   * @param greatest the greatest number
   */
  public static ValueAxis of(double least, double greatest) {
    if (!Double.isFinite(least) || !Double.isFinite(greatest)) {
      return new ValueAxis(0, 1);
    }
    if (least < greatest) {
      return new ValueAxis(least, greatest);
    }
    double margin = least == 0 ? 1 : Math.max(Math.abs(least) * 0.1, Double.MIN_NORMAL);
    return new ValueAxis(
        Math.max(-Double.MAX_VALUE, least - margin), Math.min(Double.MAX_VALUE, least + margin));
  }

  /** Returns an axis with some room below and above these numbers. */
  public ValueAxis widened() {
    double margin = (highest / 2 - lowest / 2) * 0.1;
    return new ValueAxis(
        Math.max(-Double.MAX_VALUE, lowest - margin), Math.min(Double.MAX_VALUE, highest + margin));
  }

  /**
   * Returns the position of a number: 0 at the lowest, 1 at the highest. Infinities are at the
   * ends.
   */
  public double share(double value) {
    // Halves, because the difference of the ends may be infinite
    double factor = Double.isInfinite(highest - lowest) ? 0.5 : 1;
    double share = (value * factor - lowest * factor) / (highest * factor - lowest * factor);
    return Math.max(0, Math.min(1, share));
  }

  /**
   * Returns ticks in ascending order.
   *
   * @param most the greatest number of ticks, at least 2
   */
  public List<Tick> ticks(int most) {
    double raw = Math.max(Double.MIN_VALUE, highest / most - lowest / most);
    int exponent = (int) Math.floor(Math.log10(raw));
    for (int factor : STEPS) {
      List<Tick> ticks = ticks(factor, exponent, most);
      if (ticks.size() <= most) {
        return ticks;
      }
    }
    List<Tick> ticks = ticks(1, exponent + 1, most);
    return ticks.size() <= most ? ticks : ticks(2, exponent + 1, most);
  }

  private List<Tick> ticks(int factor, int exponent, int most) {
    List<Tick> ticks = new ArrayList<>();
    double step = multiple(factor, exponent);
    if (step == 0) {
      return ticks;
    }
    double first = Math.ceil(lowest / step);
    double before = Double.NEGATIVE_INFINITY;
    for (int i = 0; i <= most; i++) {
      double value = multiple((first + i) * factor, exponent);
      // Adjacent ticks of a very narrow axis may be the same number
      if (value <= highest && value >= lowest && value > before) {
        ticks.add(new Tick(value, label(value, exponent)));
        before = value;
      }
    }
    return ticks;
  }

  /** Returns the nearest number of a multiple of a power of ten: 3 times 0.1 is 0.3. */
  private static double multiple(double number, int exponent) {
    if (exponent >= 0) {
      return number * Math.pow(10, exponent);
    }
    return exponent < -300
        ? number / Math.pow(10, -exponent - 100) / 1e100
        : number / Math.pow(10, -exponent);
  }

  /** Returns a number with at most five digits. */
  public static String text(double value) {
    if (!Double.isFinite(value)) {
      return String.valueOf(value);
    }
    int exponent = exponent(value);
    String text = text(value, exponent - 4, exponent);
    return text.contains(".") ? text.replaceFirst("\\.?0*(e|$)", "$1") : text;
  }

  /**
   * @param last the exponent of the last digit that differs between ticks
   */
  private String label(double value, int last) {
    return text(value, last, exponent(Math.max(Math.abs(lowest), Math.abs(highest))));
  }

  /**
   * @param last the exponent of the last digit
   * @param largest the exponent of the largest number of the same axis
   */
  private static String text(double value, int last, int largest) {
    if (value == 0) {
      return "0";
    }
    if (largest >= MIN_EXPONENT && largest < MAX_EXPONENT) {
      return String.format(Locale.ROOT, "%." + Math.max(0, -last) + "f", value);
    }
    int digits = Math.max(0, Math.min(16, exponent(value) - last));
    String text = String.format(Locale.ROOT, "%." + digits + "e", value);
    // As short as a person writes it: 1e-8 in place of 1e-08
    return text.replaceFirst("e([+-])0?(\\d)", "e$1$2").replace("e+", "e");
  }

  private static int exponent(double value) {
    return value == 0 ? 0 : (int) Math.floor(Math.log10(Math.abs(value)));
  }
}
