package org.kblake.record.channelaccess.settings;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the environment variables of Channel Access. They mean what they mean to other clients,
 * with one exception: {@code EPICS_CA_AUTO_ADDR_LIST} means NO if it is not set.
 *
 * <p>A variable that cannot be used is a note, and its default holds.
 */
public final class EpicsEnvironment {

  private static final int SERVER_PORT = 5064;
  private static final int REPEATER_PORT = 5065;
  private static final int SMALLEST_PORT = 1024;
  private static final int LARGEST_PORT = 65_535;
  private static final double SHORTEST_PERIOD_SECONDS = 60;
  private static final double PERIOD_SECONDS = 300;
  private static final double TIMEOUT_SECONDS = 30;
  private static final double LONGEST_SECONDS = 86_400;
  private static final long SMALLEST_ARRAY_BYTES = 16_384;

  private final Map<String, String> variables;
  private final List<String> notes = new ArrayList<>();

  private EpicsEnvironment(Map<String, String> variables) {
    this.variables = variables;
  }

  /**
   * What the environment says.
   *
   * @param settings the settings
   * @param notes what an operator should know: variables that cannot be used, and defaults that
   *     differ from those of other clients
   */
  public record Result(ChannelAccessSettings settings, List<String> notes) {
    public Result {
      notes = List.copyOf(notes);
    }
  }

  /**
   * Reads the variables. Names of hosts are looked up.
   *
   * @param variables such as {@link System#getenv()}
   */
  public static Result read(Map<String, String> variables) {
    EpicsEnvironment environment = new EpicsEnvironment(variables);
    ChannelAccessSettings settings = environment.settings();
    return new Result(settings, environment.notes);
  }

  private ChannelAccessSettings settings() {
    SearchSettings.Ports ports =
        new SearchSettings.Ports(
            port("EPICS_CA_SERVER_PORT", SERVER_PORT),
            port("EPICS_CA_REPEATER_PORT", REPEATER_PORT));
    List<InetSocketAddress> addresses = addresses(ports.server());
    List<InetSocketAddress> nameServers = listed("EPICS_CA_NAME_SERVERS", ports.server());
    if (addresses.isEmpty() && nameServers.isEmpty()) {
      notes.add(
          "no address to search: set EPICS_CA_ADDR_LIST, EPICS_CA_NAME_SERVERS or"
              + " EPICS_CA_AUTO_ADDR_LIST=YES");
    }
    double period = seconds("EPICS_CA_MAX_SEARCH_PERIOD", PERIOD_SECONDS, SHORTEST_PERIOD_SECONDS);
    SearchSettings search =
        new SearchSettings(
            addresses, nameServers, SearchSettings.PACKETS_PER_SECOND, duration(period), ports);
    return new ChannelAccessSettings(
        search,
        duration(seconds("EPICS_CA_CONN_TMO", TIMEOUT_SECONDS, 1)),
        largestArrayBytes(),
        ChannelAccessSettings.RING_BYTES,
        ChannelAccessSettings.VALUE_AND_ALARM);
  }

  private List<InetSocketAddress> addresses(int serverPort) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    String automatic = text("EPICS_CA_AUTO_ADDR_LIST");
    if (automatic == null) {
      notes.add(
          "EPICS_CA_AUTO_ADDR_LIST is not set, which means NO here and YES to other clients:"
              + " no broadcasts");
    } else if (!isNo(automatic)) {
      addresses.addAll(Addresses.broadcast(serverPort));
    }
    for (InetSocketAddress listed : listed("EPICS_CA_ADDR_LIST", serverPort)) {
      if (!addresses.contains(listed)) {
        addresses.add(listed);
      }
    }
    return addresses;
  }

  private List<InetSocketAddress> listed(String variable, int defaultPort) {
    String value = text(variable);
    return value == null ? List.of() : Addresses.parse(variable, value, defaultPort, notes);
  }

  private long largestArrayBytes() {
    String automatic = text("EPICS_CA_AUTO_ARRAY_BYTES");
    if (automatic == null || !isNo(automatic)) {
      return Long.MAX_VALUE;
    }
    return (long)
        limited("EPICS_CA_MAX_ARRAY_BYTES", SMALLEST_ARRAY_BYTES, SMALLEST_ARRAY_BYTES, 1L << 40);
  }

  private static boolean isNo(String value) {
    return value.toLowerCase(Locale.ROOT).contains("no");
  }

  private int port(String variable, int otherwise) {
    return (int) number(variable, otherwise, SMALLEST_PORT, LARGEST_PORT, number -> otherwise);
  }

  private double seconds(String variable, double otherwise, double least) {
    return limited(variable, otherwise, least, LONGEST_SECONDS);
  }

  private double limited(String variable, double otherwise, double least, double most) {
    DoubleUnaryOperator nearest = number -> Math.max(least, Math.min(most, number));
    return number(variable, otherwise, least, most, nearest);
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }

  /** Returns a number. Another one holds instead of one outside of the limits. */
  private double number(
      String variable, double otherwise, double least, double most, DoubleUnaryOperator instead) {
    String value = text(variable);
    if (value == null) {
      return otherwise;
    }
    double held = otherwise;
    try {
      double number = Double.parseDouble(value);
      if (number >= least && number <= most) {
        return number;
      }
      held = Double.isNaN(number) ? otherwise : instead.applyAsDouble(number);
    } catch (NumberFormatException e) {
      // The note below says so.
    }
    notes.add(
        variable
            + " is no number from "
            + Math.round(least)
            + " to "
            + Math.round(most)
            + ": "
            + value
            + "; "
            + Math.round(held)
            + " holds");
    return held;
  }

  private @Nullable String text(String variable) {
    String value = variables.get(variable);
    return value == null || value.isBlank() ? null : value.strip();
  }
}
