package org.kblake.cli.command.shared;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.kblake.cli.argument.ByteSize;

/** Lines of a name and a value, the values below each other. */
public final class NamedValues {

  private static final int NAME_WIDTH = 18;

  private final Map<String, String> values = new LinkedHashMap<>();

  public NamedValues add(String name, Object value) {
    values.put(name, value.toString());
    return this;
  }

  /** The number of bytes, and the same for people. */
  public NamedValues addBytes(String name, long bytes) {
    return add(name, bytes < 1024 ? bytes : bytes + " (" + new ByteSize(bytes) + ")");
  }

  /** Three digits or so; a dash for what is not a number. */
  public static String number(double number) {
    if (Double.isNaN(number)) {
      return "-";
    }
    return String.format(Locale.ROOT, number < 10 ? "%.2f" : "%.1f", number);
  }

  /** MiB per second. */
  public static String rate(long bytes, long nanos) {
    return number(nanos <= 0 ? Double.NaN : bytes / 1048576.0 / (nanos * 1e-9));
  }

  public void write(Appendable out) throws IOException {
    for (Map.Entry<String, String> fact : values.entrySet()) {
      out.append(String.format("%-" + NAME_WIDTH + "s%s%n", fact.getKey(), fact.getValue()));
    }
  }
}
