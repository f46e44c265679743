package org.kblake.transfer.shape;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A script for POSIX sh that shapes with the scheduler HTB of Linux, and ends it. The template is
 * beside this class. Classes: 1 the line, 10 control, 20 data, from 100 on a builder each. What no
 * filter knows passes HTB at once (its default 0).
 */
public final class ShapingScript {

  private static final String TEMPLATE = "shape.sh";
  private static final String CONTROL = "10";
  private static final String DATA = "20";
  private static final int FIRST_BUILDER = 0x100;
  private static final int TCP = 6;

  /** Ten frames of Ethernet: so much of a class is sent in turn. */
  private static final int QUANTUM = 15_140;

  private final ShapingPlan plan;
  private final List<String> rules = new ArrayList<>();

  private ShapingScript(ShapingPlan plan) {
    this.plan = plan;
  }

  /** Returns the script. */
  public static String of(ShapingPlan plan) {
    return new ShapingScript(plan).text();
  }

  private String text() {
    rules.add("tc qdisc add dev \"$device\" root handle \"$handle:\" htb default 0");
    addClass("", "1", plan.line(), plan.line(), 0);
    addClass("1", CONTROL, plan.control(), plan.line(), 0);
    addClass("1", DATA, plan.data(), plan.data(), 1);
    int number = FIRST_BUILDER;
    for (ShapedBuilder builder : plan.builders()) {
      String name = Integer.toHexString(number++);
      addClass(DATA, name, plan.least(builder), plan.most(builder), 1);
      for (InetAddress address : builder.addresses()) {
        addFilters(address, builder.controlPort(), CONTROL);
        addFilters(address, builder.dataPort(), name);
      }
    }
    return template()
        .replace("@DEVICE@", plan.device())
        .replace("@CONTROL@", plan.control().toString())
        .replace("@DATA@", plan.data().toString())
        .replace("@RULES@", String.join(" &&\n    ", rules));
  }

  private void addClass(String parent, String name, BitRate least, BitRate most, int priority) {
    rules.add(
        "tc class add dev \"$device\" parent \"$handle:"
            + parent
            + "\" classid \"$handle:"
            + name
            + "\" htb rate "
            + least
            + " ceil "
            + most
            + " prio "
            + priority
            + " quantum "
            + QUANTUM);
  }

  /** The port is that of the collector or of the builder. */
  private void addFilters(InetAddress address, int port, String name) {
    boolean isSix = address instanceof Inet6Address;
    String ip = isSix ? "ip6" : "ip";
    String host = address.getHostAddress().split("%", 2)[0];
    for (String end : List.of("sport", "dport")) {
      rules.add(
          "tc filter add dev \"$device\" parent \"$handle:\" protocol "
              + (isSix ? "ipv6 prio 2" : "ip prio 1")
              + " u32 match "
              + (ip + " dst " + host + (isSix ? "/128" : "/32"))
              + (" match " + ip + " protocol " + TCP + " 0xff")
              + (" match " + ip + " " + end + " " + port + " 0xffff")
              + (" flowid \"$handle:" + name + "\""));
    }
  }

  private static String template() {
    try (InputStream in = ShapingScript.class.getResourceAsStream(TEMPLATE)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
