package org.kblake.cli.command.shared;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.kblake.format.argument.ByteSize;

/** Lines of a name and a value, with the values aligned. */
public final class NamedValues {

  private static final int NAME_WIDTH = 18;

  private final Map<String, String> values = new LinkedHashMap<>();

  public NamedValues add(String name, Object value) {
    values.put(name, value.toString());
    return this;
  }

  /** Adds a number of bytes, exact and rounded. */
  public NamedValues addBytes(String name, long bytes) {
    return add(name, bytes < 1024 ? bytes : bytes + " (" + new ByteSize(bytes) + ")");
  }

  /** Formats a number with one or two decimals; NaN is a dash. */
  public static String number(double number) {
    if (Double.isNaN(number)) {
      return "-";
    }
    return String.format(Locale.ROOT, number < 10 ? "%.2f" : "%.1f", number);
  }

  /** Formats a number of things, such as {@code 1 block} or {@code 1,204 blocks}. */
  public static String count(long number, String thing) {
    return String.format(Locale.ROOT, "%,d %s%s", number, thing, number == 1 ? "" : "s");
  }

  /** Formats a rate in MiB per second. */
  public static String rate(long bytes, long nanos) {
    return number(nanos <= 0 ? Double.NaN : bytes / 1048576.0 / (nanos * 1e-9));
  }

  public void write(Appendable out) throws IOException {
    for (Map.Entry<String, String> fact : values.entrySet()) {
      out.append(String.format("%-" + NAME_WIDTH + "s%s%n", fact.getKey(), fact.getValue()));
    }
  }
}
