package org.kblake.record.pvaccess;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.epics.pva.PVASettings;
import org.junit.jupiter.api.Test;

final class PvAccessEnvironmentTest {

  @Test
  void defaultsAreThoseOfOtherClientsButForBroadcasts() {
    PvAccessEnvironment.Result result = PvAccessEnvironment.read(Map.of());
    assertThat(result.settings())
        .isEqualTo(
            new PvAccessSettings(
                "",
                false,
                "",
                new PvAccessSettings.Ports(5076, 5075),
                new PvAccessSettings.Times(Duration.ofSeconds(30), Duration.ofSeconds(30))));
    assertThat(result.notes())
        .anyMatch(note -> note.startsWith("EPICS_PVA_AUTO_ADDR_LIST is not set"))
        .anyMatch(note -> note.startsWith("no address to search"));
  }

  @Test
  void variablesAreRead() {
    PvAccessEnvironment.Result result =
        PvAccessEnvironment.read(
            Map.of(
                "EPICS_PVA_ADDR_LIST", " 127.0.0.1  127.0.0.2:7000 ",
                "EPICS_PVA_AUTO_ADDR_LIST", "YES",
                "EPICS_PVA_NAME_SERVERS", "127.0.0.3",
                "EPICS_PVA_BROADCAST_PORT", "7001",
                "EPICS_PVA_SERVER_PORT", "7002",
                "EPICS_PVA_CONN_TMO", "12.6"));
    assertThat(result.settings())
        .isEqualTo(
            new PvAccessSettings(
                "127.0.0.1 127.0.0.2:7000",
                true,
                "127.0.0.3",
                new PvAccessSettings.Ports(7001, 7002),
                new PvAccessSettings.Times(Duration.ofSeconds(13), Duration.ofSeconds(30))));
    assertThat(result.notes()).isEmpty();
  }

  @Test
  void variablesThatCannotBeUsedAreNotes() {
    PvAccessEnvironment.Result result =
        PvAccessEnvironment.read(
            Map.of(
                "EPICS_PVA_ADDR_LIST", "127.0.0.1:x 127.0.0.2 pvas://127.0.0.3",
                "EPICS_PVA_AUTO_ADDR_LIST", "NO",
                "EPICS_PVA_TLS_KEYCHAIN", "/keys",
                "EPICS_PVA_SERVER_PORT", "70000"));
    assertThat(result.settings().addresses()).isEqualTo("127.0.0.2");
    assertThat(result.settings().isAutomatic()).isFalse();
    assertThat(result.settings().ports().server()).isEqualTo(5075);
    assertThat(result.notes())
        .containsExactlyInAnyOrder(
            "EPICS_PVA_ADDR_LIST has a malformed address: 127.0.0.1:x is left out",
            "EPICS_PVA_ADDR_LIST has an address with TLS: pvas://127.0.0.3 is left out",
            "EPICS_PVA_SERVER_PORT is no number from 1 to 65535: 70000; 5075 holds",
            "EPICS_PVA_TLS_KEYCHAIN has no effect: connections are without TLS");
  }

  /** core-pva would not start with it. */
  @Test
  void integerThatIsNoneDoesNotReachTheLibrary() {
    try {
      PvAccessEnvironment.Result result =
          PvAccessEnvironment.read(
              Map.of("EPICS_PVA_CONN_TMO", "30.0", "EPICS_PVA_MAX_BEACON_AGE", "long"));
      assertThat(result.notes())
          .contains("EPICS_PVA_MAX_BEACON_AGE is no integer: long; 300 holds")
          .noneMatch(note -> note.contains("EPICS_PVA_CONN_TMO"));
      assertThat(PVASettings.get("EPICS_PVA_CONN_TMO", 0)).isEqualTo(30);
      assertThat(PVASettings.get("EPICS_PVA_MAX_BEACON_AGE", 0)).isEqualTo(300);
    } finally {
      System.clearProperty("EPICS_PVA_CONN_TMO");
      System.clearProperty("EPICS_PVA_MAX_BEACON_AGE");
    }
  }
}
