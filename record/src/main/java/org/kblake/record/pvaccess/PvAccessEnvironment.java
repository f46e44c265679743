package org.kblake.record.pvaccess;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.epics.pva.common.Network;
import org.jspecify.annotations.Nullable;

/**
 * Reads the environment variables of PV Access. They mean what they mean to core-pva, with one
 * exception: {@code EPICS_PVA_AUTO_ADDR_LIST} means NO if it is not set.
 *
 * <p>A variable that cannot be used is a note, and its default holds.
 */
public final class PvAccessEnvironment {

  private static final int BROADCAST_PORT = 5076;
  private static final int SERVER_PORT = 5075;
  private static final int LARGEST_PORT = 65_535;
  private static final int TIMEOUT_SECONDS = 30;
  private static final int LONGEST_SECONDS = 86_400;
  private static final int SEND_BUFFER_BYTES = 8_001_000;
  private static final Duration STALL = Duration.ofSeconds(30);

  /**
   * The integers that core-pva reads, and its defaults. It does not start with one that is none.
   */
  private static final Map<String, Integer> INTEGERS =
      new TreeMap<>(
          Map.of(
              "EPICS_PVA_SERVER_PORT",
              SERVER_PORT,
              "EPICS_PVAS_TLS_PORT",
              BROADCAST_PORT,
              "EPICS_PVA_BROADCAST_PORT",
              BROADCAST_PORT,
              "EPICS_PVAS_BROADCAST_PORT",
              BROADCAST_PORT,
              "EPICS_PVA_CONN_TMO",
              TIMEOUT_SECONDS,
              "EPICS_PVA_TCP_SOCKET_TMO",
              5,
              "EPICS_PVA_MAX_ARRAY_FORMATTING",
              50,
              "EPICS_PVA_FAST_BEACON_MIN",
              0,
              "EPICS_PVA_FAST_BEACON_MAX",
              30,
              "EPICS_PVA_MAX_BEACON_AGE",
              300));

  /** Those that this class reads, too. */
  private static final Set<String> READ_HERE =
      Set.of("EPICS_PVA_SERVER_PORT", "EPICS_PVA_BROADCAST_PORT", "EPICS_PVA_CONN_TMO");

  private final Map<String, String> variables;
  private final List<String> notes = new ArrayList<>();

  private PvAccessEnvironment(Map<String, String> variables) {
    this.variables = variables;
  }

  /**
   * What the environment says.
   *
   * @param settings the settings
   * @param notes what an operator should know: variables that cannot be used, and defaults that
   *     differ from those of other clients
   */
  public record Result(PvAccessSettings settings, List<String> notes) {
    public Result {
      notes = List.copyOf(notes);
    }
  }

  /**
   * Reads the variables. Names of hosts are looked up. An integer that core-pva could not read gets
   * a system property of the same name, which core-pva prefers.
   *
   * @param variables such as {@link System#getenv()}
   */
  public static Result read(Map<String, String> variables) {
    PvAccessEnvironment environment = new PvAccessEnvironment(variables);
    INTEGERS.forEach(environment::guard);
    environment.guard("EPICS_PVA_SEND_BUFFER_SIZE", SEND_BUFFER_BYTES);
    PvAccessSettings settings = environment.settings();
    return new Result(settings, environment.notes);
  }

  private void guard(String variable, int otherwise) {
    String value = variables.get(variable);
    if (value != null && !value.matches("[+-]?\\d{1,9}")) {
      System.setProperty(variable, Integer.toString(otherwise));
      if (!READ_HERE.contains(variable)) {
        notes.add(variable + " is no integer: " + value + "; " + otherwise + " holds");
      }
    }
  }

  private PvAccessSettings settings() {
    PvAccessSettings.Ports ports =
        new PvAccessSettings.Ports(
            number("EPICS_PVA_BROADCAST_PORT", BROADCAST_PORT, LARGEST_PORT),
            number("EPICS_PVA_SERVER_PORT", SERVER_PORT, LARGEST_PORT));
    boolean isAutomatic = isAutomatic();
    String addresses = addresses("EPICS_PVA_ADDR_LIST", ports.broadcast());
    String nameServers = addresses("EPICS_PVA_NAME_SERVERS", ports.server());
    if (!isAutomatic && addresses.isEmpty() && nameServers.isEmpty()) {
      notes.add(
          "no address to search: set EPICS_PVA_ADDR_LIST, EPICS_PVA_NAME_SERVERS or"
              + " EPICS_PVA_AUTO_ADDR_LIST=YES");
    }
    if (text("EPICS_PVA_TLS_KEYCHAIN") != null) {
      notes.add("EPICS_PVA_TLS_KEYCHAIN has no effect: connections are without TLS");
    }
    if (!Charset.defaultCharset().equals(StandardCharsets.UTF_8)) {
      notes.add(
          "texts of PV Access are read as "
              + Charset.defaultCharset()
              + ": set the locale to UTF-8, or -Dfile.encoding=UTF-8");
    }
    int seconds = number("EPICS_PVA_CONN_TMO", TIMEOUT_SECONDS, LONGEST_SECONDS);
    return new PvAccessSettings(
        addresses,
        isAutomatic,
        nameServers,
        ports,
        new PvAccessSettings.Times(Duration.ofSeconds(seconds), STALL));
  }

  private boolean isAutomatic() {
    String automatic = text("EPICS_PVA_AUTO_ADDR_LIST");
    if (automatic == null) {
      notes.add(
          "EPICS_PVA_AUTO_ADDR_LIST is not set, which means NO here and YES to other clients:"
              + " no broadcasts");
      return false;
    }
    return !automatic.toLowerCase(Locale.ROOT).contains("no");
  }

  private String addresses(String variable, int port) {
    List<String> usable = new ArrayList<>();
    String list = text(variable);
    for (String word : list == null ? new String[0] : list.split("\\s+")) {
      String problem = problem(word, port);
      if (problem.isEmpty()) {
        usable.add(word);
      } else {
        notes.add(variable + " has " + problem + ": " + word + " is left out");
      }
    }
    return String.join(" ", usable);
  }

  private static String problem(String address, int port) {
    if (address.startsWith("pvas://")) {
      return "an address with TLS";
    }
    try {
      return Network.parseAddress(address, port).getAddress().isUnresolved()
          ? "an unknown host"
          : "";
    } catch (Exception e) {
      return "a malformed address";
    }
  }

  /** Returns a whole number from 1 on, to which fractions are rounded. */
  private int number(String variable, int otherwise, int most) {
    String value = text(variable);
    if (value == null) {
      return otherwise;
    }
    try {
      long number = Math.round(Double.parseDouble(value));
      if (number >= 1 && number <= most) {
        return (int) number;
      }
    } catch (NumberFormatException e) {
      // The note below says so.
    }
    notes.add(
        variable + " is no number from 1 to " + most + ": " + value + "; " + otherwise + " holds");
    return otherwise;
  }

  private @Nullable String text(String variable) {
    String value = variables.get(variable);
    return value == null || value.isBlank() ? null : value.strip();
  }
}
