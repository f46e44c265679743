package org.kblake.transfer.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the rules say. {@code transfer/src/test/tc/run} tests what they do. */
final class ShapingScriptTest {

  private static final BitRate LINE = BitRate.parse("10gbit");
  private static final BitRate CONTROL = BitRate.parse("10mbit");
  private static final BitRate DATA = BitRate.parse("600mbit");

  private static ShapingScript script(String device, BitRate line, String... builders) {
    List<BuilderShare> shares = List.of(builders).stream().map(BuilderShare::parse).toList();
    return new ShapingScript(device, line, CONTROL, DATA, shares);
  }

  private static String text(String... builders) {
    return script("eth0", LINE, builders).text(5000, 5001);
  }

  @Test
  void aBuilderGetsItsShareAndAtMostItsLimit() {
    assertThat(text("10.0.0.2=50mbit", "10.0.0.3=900mbit", "fd00::2"))
        .containsSubsequence(
            "device='eth0'\nline=10000000000bit\ncontrol=10000000bit\ndata=600000000bit\n",
            "ports='5000 5001'\n",
            "\n50000000bit 50000000bit 10.0.0.2\n",
            "200000000bit 600000000bit 10.0.0.3\n",
            "200000000bit 600000000bit fd00:0:0:0:0:0:0:2\n'\n");
  }

  @Test
  void anUnknownHostIsRefused() {
    assertThatThrownBy(() -> text("no-such-host.invalid")).hasMessageContaining("unknown");
  }

  @Test
  void aScriptHasNoMarkOfItsTemplate() {
    assertThat(text("10.0.0.2")).startsWith("#!/bin/sh\n").doesNotContainPattern("@[A-Z]+@");
  }

  /** The name is written into a script that root calls. */
  @Test
  void whatIsNoPlanIsRefused() {
    for (String device : List.of("", "a b", "x'; reboot '", "-x", "sixteen-letters-x", "a\nb")) {
      assertThatThrownBy(() -> script(device, LINE, "10.0.0.2"))
          .hasMessageContaining("no name of an interface");
    }
    assertThatThrownBy(() -> script("eth0", DATA, "10.0.0.2"))
        .hasMessageContaining("more than the line");
    assertThatThrownBy(() -> script("eth0", LINE)).hasMessageContaining("1 to 1000 builders");
    String[] many = Collections.nCopies(1001, "10.0.0.2").toArray(String[]::new);
    assertThatThrownBy(() -> script("eth0", LINE, many)).hasMessageContaining("found 1001");
    ShapingScript script = script("eth0", LINE, "10.0.0.2");
    assertThatThrownBy(() -> script.text(5000, 5000)).hasMessageContaining("the same port");
    assertThatThrownBy(() -> script.text(0, 5000)).hasMessageContaining("1 to 65535");
    assertThatThrownBy(() -> script.text(1, 65_536)).hasMessageContaining("1 to 65535");
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
