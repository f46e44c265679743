package org.kblake.transfer.shape;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A script for POSIX sh that shapes what a collector sends, with the scheduler HTB of Linux. {@code
 * shape.sh} beside this class is its template.
 *
 * @param device the interface's name
 * @param line the rate of the interface
 * @param control what control connections get at least, if they need it
 * @param data what all data connections get together at most
 * @param builders from 1 to 1,000
 */
public record ShapingScript(
    String device, BitRate line, BitRate control, BitRate data, List<BuilderShare> builders) {

  private static final String TEMPLATE = "shape.sh";
  private static final String DEVICE = "[A-Za-z0-9_][A-Za-z0-9_.@-]{0,14}";
  private static final int MOST_BUILDERS = 1000;
  private static final int MOST_PORT = 0xFFFF;

  /**
   * @throws IllegalArgumentException if the name is none of an interface, the rates are more than
   *     the line has, or the number of builders is another one
   */
  public ShapingScript {
    builders = List.copyOf(builders);
    if (!device.matches(DEVICE)) {
      throw new IllegalArgumentException("'" + device + "' is no name of an interface");
    }
    if (control.bitsPerSecond() + data.bitsPerSecond() > line.bitsPerSecond()) {
      throw new IllegalArgumentException(
          "control and data have more than the line: control=%s, data=%s, line=%s"
              .formatted(control, data, line));
    }
    if (builders.isEmpty() || builders.size() > MOST_BUILDERS) {
      throw new IllegalArgumentException(
          "there must be from 1 to 1000 builders, found " + builders.size());
    }
  }

  /**
   * Returns the script.
   *
   * @param controlPort the port of control connections, at either end
   * @param dataPort the port of data connections, at either end
   * @throws IllegalArgumentException if the ports are none, or the same, or a host is unknown
   */
  public String text(int controlPort, int dataPort) {
    if (Math.min(controlPort, dataPort) < 1 || Math.max(controlPort, dataPort) > MOST_PORT) {
      throw new IllegalArgumentException(
          "no ports from 1 to 65535: control=" + controlPort + ", data=" + dataPort);
    }
    if (controlPort == dataPort) {
      throw new IllegalArgumentException(
          "control and data have the same port, so they cannot be told apart: port=" + dataPort);
    }
    return template()
        .replace("@DEVICE@", device)
        .replace("@LINE@", line.toString())
        .replace("@CONTROL@", control.toString())
        .replace("@DATA@", data.toString())
        .replace("@PORTS@", controlPort + " " + dataPort)
        .replace("@BUILDERS@", builders.stream().map(this::row).collect(Collectors.joining("\n")));
  }

  /** Returns what a builder gets if all others need theirs, at most, and its addresses. */
  private String row(BuilderShare builder) {
    long all = data.bitsPerSecond();
    long most = Math.min(all, builder.most() == null ? all : builder.most().bitsPerSecond());
    long least = Math.min(most, Math.max(1000, all / builders.size()));
    String addresses =
        builder.addresses().stream()
            .map(InetAddress::getHostAddress)
            .map(address -> address.split("%", 2)[0])
            .collect(Collectors.joining(" "));
    return new BitRate(least) + " " + new BitRate(most) + " " + addresses;
  }

  private static String template() {
    try (InputStream in = ShapingScript.class.getResourceAsStream(TEMPLATE)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
