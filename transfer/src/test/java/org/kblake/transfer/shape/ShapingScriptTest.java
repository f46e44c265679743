package org.kblake.transfer.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the rules say. {@code transfer/src/test/tc/run} tests what they do. */
final class ShapingScriptTest {

  private static final BitRate LINE = BitRate.parse("10gbit");
  private static final BitRate CONTROL = BitRate.parse("10mbit");
  private static final BitRate DATA = BitRate.parse("600mbit");

  private static ShapedBuilder builder(String most, String... addresses)
      throws UnknownHostException {
    InetAddress[] all = new InetAddress[addresses.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = InetAddress.getByName(addresses[i]);
    }
    return new ShapedBuilder(List.of(all), 5000, 5001, BitRate.parse(most));
  }

  private static ShapingPlan plan(ShapedBuilder... builders) {
    return new ShapingPlan("eth0", LINE, CONTROL, DATA, List.of(builders));
  }

  private static List<String> rules(ShapingPlan plan) {
    return ShapingScript.of(plan)
        .lines()
        .map(line -> line.strip().replace(" &&", ""))
        .filter(line -> line.matches("tc (qdisc|class|filter) add .*"))
        .map(line -> line.replace("\"$device\"", "eth0").replaceAll("\"\\$handle:(\\w*)\"", ":$1"))
        .toList();
  }

  @Test
  void aBuilderGetsItsShareAndAtMostItsLimit() throws UnknownHostException {
    assertThat(rules(plan(builder("50mbit", "10.0.0.2"), builder("900mbit", "10.0.0.3"))))
        .containsSubsequence(
            "tc qdisc add dev eth0 root handle : htb default 0",
            "tc class add dev eth0 parent : classid :1 htb rate 10000000000bit ceil 10000000000bit"
                + " prio 0 quantum 15140",
            "tc class add dev eth0 parent :1 classid :10 htb rate 10000000bit ceil 10000000000bit"
                + " prio 0 quantum 15140",
            "tc class add dev eth0 parent :1 classid :20 htb rate 600000000bit ceil 600000000bit"
                + " prio 1 quantum 15140",
            "tc class add dev eth0 parent :20 classid :100 htb rate 50000000bit ceil 50000000bit"
                + " prio 1 quantum 15140",
            "tc class add dev eth0 parent :20 classid :101 htb rate 300000000bit ceil 600000000bit"
                + " prio 1 quantum 15140");
  }

  @Test
  void connectionsAreKnownByTheirPortsAtEitherEnd() throws UnknownHostException {
    assertThat(rules(plan(builder("50mbit", "10.0.0.2", "fd00::2"))).stream())
        .filteredOn(rule -> rule.startsWith("tc filter"))
        .hasSize(8)
        .contains(
            "tc filter add dev eth0 parent : protocol ip prio 1 u32 match ip dst 10.0.0.2/32 match"
                + " ip protocol 6 0xff match ip sport 5000 0xffff flowid :10",
            "tc filter add dev eth0 parent : protocol ipv6 prio 2 u32 match ip6 dst"
                + " fd00:0:0:0:0:0:0:2/128 match ip6 protocol 6 0xff match ip6 dport 5001 0xffff"
                + " flowid :100");
  }

  @Test
  void aScriptHasNoMarkOfItsTemplate() throws UnknownHostException {
    assertThat(ShapingScript.of(plan(builder("50mbit", "10.0.0.2"))))
        .startsWith("#!/bin/sh\n")
        .doesNotContainPattern("@[A-Z]+@");
  }

  /** The name is written into a script that root calls. */
  @Test
  void whatIsNoPlanIsRefused() throws UnknownHostException {
    List<ShapedBuilder> one = List.of(builder("50mbit", "10.0.0.2"));
    for (String device : List.of("", "a b", "x'; reboot '", "-x", "sixteen-letters-x", "a\nb")) {
      assertThatThrownBy(() -> new ShapingPlan(device, LINE, CONTROL, DATA, one))
          .hasMessageContaining("no name of an interface");
    }
    assertThatThrownBy(() -> new ShapingPlan("eth0", DATA, CONTROL, DATA, one))
        .hasMessageContaining("more than the line");
    assertThatThrownBy(() -> new ShapingPlan("eth0", LINE, CONTROL, DATA, List.of()))
        .hasMessageContaining("1 to 1000 builders");
    List<ShapedBuilder> many = Collections.nCopies(1001, one.get(0));
    assertThatThrownBy(() -> new ShapingPlan("eth0", LINE, CONTROL, DATA, many))
        .hasMessageContaining("found 1001");
    List<InetAddress> address = one.get(0).addresses();
    assertThatThrownBy(() -> new ShapedBuilder(address, 5000, 5000, DATA))
        .hasMessageContaining("the same port");
    assertThatThrownBy(() -> new ShapedBuilder(address, 0, 5000, DATA))
        .hasMessageContaining("1 to 65535");
    assertThatThrownBy(() -> new ShapedBuilder(List.of(), 1, 2, DATA))
        .hasMessageContaining("no address");
  }

  @Test
  void ratesAreThoseOfTc() {
    assertThat(BitRate.parse("200Mbit").bitsPerSecond()).isEqualTo(200_000_000);
    assertThat(BitRate.parse("64kbit").bytesPerSecond()).isEqualTo(8000);
    for (String text : List.of("", "200", "200mb", "1.5gbit", "-1mbit", "9999999999kbit")) {
      assertThatThrownBy(() -> BitRate.parse(text)).hasMessageContaining("is not a rate");
    }
    for (String text : List.of("0kbit", "1001gbit")) {
      assertThatThrownBy(() -> BitRate.parse(text)).hasMessageContaining("must be from");
    }
  }
}
