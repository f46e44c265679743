package org.kblake.record.channelaccess.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EpicsEnvironmentTest {

  private static InetSocketAddress at(String host, int port) {
    return new InetSocketAddress(host, port);
  }

  @Test
  void variablesOfEpicsMeanWhatTheyMeanToOtherClients() {
    EpicsEnvironment.Result result =
        EpicsEnvironment.read(
            Map.of(
                "EPICS_CA_ADDR_LIST", " 127.0.0.1  127.0.0.2:6000 127.0.0.1",
                "EPICS_CA_AUTO_ADDR_LIST", "NO",
                "EPICS_CA_NAME_SERVERS", "127.0.0.3",
                "EPICS_CA_SERVER_PORT", "5164",
                "EPICS_CA_REPEATER_PORT", "5165",
                "EPICS_CA_CONN_TMO", "12.5",
                "EPICS_CA_MAX_SEARCH_PERIOD", "100",
                "EPICS_CA_AUTO_ARRAY_BYTES", "NO",
                "EPICS_CA_MAX_ARRAY_BYTES", "100000"));
    ChannelAccessSettings settings = result.settings();
    assertThat(result.notes()).isEmpty();
    assertThat(settings.search().addresses())
        .containsExactly(at("127.0.0.1", 5164), at("127.0.0.2", 6000));
    assertThat(settings.search().nameServers()).containsExactly(at("127.0.0.3", 5164));
    assertThat(settings.search().ports()).isEqualTo(new SearchSettings.Ports(5164, 5165));
    assertThat(settings.search().longestPeriod()).isEqualTo(Duration.ofSeconds(100));
    assertThat(settings.connectionTimeout()).isEqualTo(Duration.ofMillis(12_500));
    assertThat(settings.largestArrayBytes()).isEqualTo(100_000);
  }

  /** The one difference: a recorder does not broadcast unless it is told to. */
  @Test
  void noBroadcastWithoutTheVariable() {
    EpicsEnvironment.Result result = EpicsEnvironment.read(Map.of());
    assertThat(result.settings().search().addresses()).isEmpty();
    assertThat(result.settings().largestArrayBytes()).isEqualTo(Long.MAX_VALUE);
    assertThat(result.notes())
        .containsExactly(
            "EPICS_CA_AUTO_ADDR_LIST is not set, which means NO here and YES to other clients:"
                + " no broadcasts",
            "no address to search: set EPICS_CA_ADDR_LIST, EPICS_CA_NAME_SERVERS or"
                + " EPICS_CA_AUTO_ADDR_LIST=YES");
  }

  @Test
  void broadcastIfAskedFor() {
    EpicsEnvironment.Result result =
        EpicsEnvironment.read(Map.of("EPICS_CA_AUTO_ADDR_LIST", "YES"));
    assertThat(result.settings().search().addresses()).isNotEmpty();
    assertThat(result.notes()).isEmpty();
  }

  /** Datagrams of searches go to addresses of version 4 of IP. */
  @Test
  void addressOfVersion6CannotBeUsed() {
    EpicsEnvironment.Result result =
        EpicsEnvironment.read(
            Map.of("EPICS_CA_ADDR_LIST", "[::1]:5064 127.0.0.9", "EPICS_CA_AUTO_ADDR_LIST", "NO"));
    assertThat(result.settings().search().addresses()).containsExactly(at("127.0.0.9", 5064));
    assertThat(result.notes())
        .containsExactly(
            "EPICS_CA_ADDR_LIST has no address of version 4 of IP: [::1]:5064 is left out");
    SearchSettings search = result.settings().search();
    List<InetSocketAddress> six = List.of(at("::1", 5064));
    assertThatThrownBy(
            () -> new SearchSettings(six, List.of(), 1, search.longestPeriod(), search.ports()))
        .hasMessage("no address of version 4 of IP: /[0:0:0:0:0:0:0:1]:5064");
  }

  /** As other clients read them. */
  @Test
  void addressesHaveSeveralForms() {
    EpicsEnvironment.Result result =
        EpicsEnvironment.read(
            Map.of(
                "EPICS_CA_ADDR_LIST",
                "\t127.1 [::ffff:127.0.0.2]:6000\n127.0.0.2:6000  localhost:6001 239.1.2.3",
                "EPICS_CA_AUTO_ADDR_LIST",
                "no"));
    assertThat(result.settings().search().addresses())
        .containsExactly(
            at("127.0.0.1", 5064),
            at("127.0.0.2", 6000),
            at("127.0.0.1", 6001),
            at("239.1.2.3", 5064));
    assertThat(result.notes()).isEmpty();
    EpicsEnvironment.Result wrong =
        EpicsEnvironment.read(
            Map.of(
                "EPICS_CA_NAME_SERVERS", "::ffff:127.0.0.2 127.0.0.3:0 127.0.0.4:",
                "EPICS_CA_AUTO_ADDR_LIST", "no"));
    assertThat(wrong.settings().search().nameServers()).isEmpty();
    assertThat(wrong.notes()).hasSize(4);
  }

  /** The limit holds only if arrays have one, as in other clients. */
  @Test
  void arraysHaveALimitOnlyOnRequest() {
    assertThat(largest("MAX", "20000")).isEqualTo(Long.MAX_VALUE);
    assertThat(largest("MAX", "20000", "AUTO", "YES")).isEqualTo(Long.MAX_VALUE);
    assertThat(largest("MAX", "20000", "AUTO", "NO")).isEqualTo(20_000);
    assertThat(largest("MAX", "3", "AUTO", "NO")).isEqualTo(16_384);
    assertThat(largest("AUTO", "NO")).isEqualTo(16_384);
  }

  private static long largest(String... values) {
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < values.length; i += 2) {
      variables.put("EPICS_CA_" + values[i] + "_ARRAY_BYTES", values[i + 1]);
    }
    return EpicsEnvironment.read(variables).settings().largestArrayBytes();
  }

  @Test
  void hostThatIsUnknownIsKept() {
    EpicsEnvironment.Result result =
        EpicsEnvironment.read(
            Map.of("EPICS_CA_ADDR_LIST", "none.invalid", "EPICS_CA_AUTO_ADDR_LIST", "NO"));
    assertThat(result.settings().search().addresses())
        .containsExactly(InetSocketAddress.createUnresolved("none.invalid", 5064));
    assertThat(result.notes())
        .containsExactly(
            "EPICS_CA_ADDR_LIST has an unknown host: none.invalid is looked up again and again");
  }

  @Test
  void whatCannotBeUsedIsANote() {
    EpicsEnvironment.Result result =
        EpicsEnvironment.read(
            Map.of(
                "EPICS_CA_ADDR_LIST", "127.0.0.1:x 127.0.0.1:70000 :5064 127.0.0.9",
                "EPICS_CA_AUTO_ADDR_LIST", "no",
                "EPICS_CA_SERVER_PORT", "80",
                "EPICS_CA_MAX_SEARCH_PERIOD", "30",
                "EPICS_CA_CONN_TMO", "soon"));
    assertThat(result.settings().search().addresses()).containsExactly(at("127.0.0.9", 5064));
    assertThat(result.settings().search().longestPeriod()).isEqualTo(Duration.ofSeconds(60));
    assertThat(result.notes())
        .containsExactly(
            "EPICS_CA_SERVER_PORT is no number from 1024 to 65535: 80; 5064 holds",
            "EPICS_CA_ADDR_LIST has an address without a valid port: 127.0.0.1:x is left out",
            "EPICS_CA_ADDR_LIST has an address without a valid port: 127.0.0.1:70000 is left out",
            "EPICS_CA_ADDR_LIST has an address without a host: :5064 is left out",
            "EPICS_CA_MAX_SEARCH_PERIOD is no number from 60 to 86400: 30; 60 holds",
            "EPICS_CA_CONN_TMO is no number from 1 to 86400: soon; 30 holds");
  }
}
