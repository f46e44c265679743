package org.kblake.record.channelaccess;

import static org.assertj.core.api.Assertions.assertThat;

import com.cosylab.epics.caj.cas.CAJServerContext;
import com.cosylab.epics.caj.cas.util.DefaultServerImpl;
import com.cosylab.epics.caj.cas.util.MemoryProcessVariable;
import gov.aps.jca.CAException;
import gov.aps.jca.dbr.DBR;
import gov.aps.jca.dbr.DBRType;
import gov.aps.jca.dbr.DBR_Double;
import gov.aps.jca.dbr.STS;
import gov.aps.jca.dbr.Severity;
import gov.aps.jca.dbr.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kblake.record.channelaccess.settings.ChannelAccessSettings;
import org.kblake.record.channelaccess.settings.SearchSettings;
import org.kblake.record.fixture.Received;

/** A client against the server of org.epics:jca, which others wrote. */
final class JcaServerTest {

  /** A record that has an alarm above 100. */
  private static final class Watched extends MemoryProcessVariable {

    private Watched(String name, double value) {
      super(name, null, DBRType.DOUBLE, new double[] {value});
    }

    @Override
    public void fillInDBR(DBR target) {
      super.fillInDBR(target);
      boolean isHigh = ((double[]) value)[0] > 100;
      ((STS) target).setStatus(isHigh ? Status.HIGH_ALARM : Status.NO_ALARM);
      ((STS) target).setSeverity(isHigh ? Severity.MINOR_ALARM : Severity.NO_ALARM);
    }

    private void post(double number) throws CAException {
      write(new DBR_Double(new double[] {number}), null);
    }
  }

  /** Sends no beacons. */
  private static final class Context extends CAJServerContext {
    private Context(int udpPort, int tcpPort) {
      autoBeaconAddressList = false;
      beaconAddressList = "127.0.0.1";
      beaconPort = 25_999;
      udpServerPort = udpPort;
      tcpServerPort = tcpPort;
    }
  }

  private Watched number = new Watched("D", 1.5);
  private Context context = serve(0, 0);
  private ChannelAccessSource source =
      source(List.of(address(context.getUdpServerPort())), List.of());

  JcaServerTest() throws CAException {}

  private Context serve(int udpPort, int tcpPort) throws CAException {
    DefaultServerImpl server = new DefaultServerImpl();
    server.registerProcessVariable(number);
    server.createMemoryProcessVariable("S", DBRType.STRING, new String[] {"beam on"});
    server.createMemoryProcessVariable("W", DBRType.INT, new int[] {1, -2, 3});
    server.createMemoryProcessVariable("B", DBRType.BYTE, new byte[] {65, -56});
    server
        .createMemoryProcessVariable("E", DBRType.ENUM, new short[] {1})
        .setEnumLabels(new String[] {"off", "on"});
    for (String each : List.of("D", "S", "W", "B", "E")) {
      server.createMemoryProcessVariable(
          each + ".DESC", DBRType.STRING, new String[] {"the record " + each});
    }
    Context begun = new Context(udpPort, tcpPort);
    begun.initialize(server);
    return begun;
  }

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static ChannelAccessSource source(
      List<InetSocketAddress> addresses, List<InetSocketAddress> nameServers) {
    return ChannelAccessSource.start(
        new ChannelAccessSettings(
            new SearchSettings(
                addresses,
                nameServers,
                SearchSettings.PACKETS_PER_SECOND,
                Duration.ofSeconds(60),
                new SearchSettings.Ports(5064, 25_999)),
            Duration.ofSeconds(30),
            Long.MAX_VALUE,
            1 << 20,
            ChannelAccessSettings.VALUE_AND_ALARM));
  }

  @AfterEach
  void close() throws CAException {
    source.close();
    context.destroy();
  }

  /** Waits for a value with a time stamp. */
  private static void await(Received received, String value) {
    received.await(() -> has(received, value));
  }

  private static boolean has(Received received, String value) {
    String pattern = value.replace("[", "\\[").replace(" @", " @\\d{19}");
    return received.events().stream().anyMatch(each -> each.matches(pattern));
  }

  /** The server sends a first value before it subscribes, so one may be posted between the two. */
  private void awaitPosted(Received received, double posted, String value) {
    received.await(
        () -> {
          try {
            number.post(posted);
          } catch (CAException e) {
            throw new AssertionError(e);
          }
          return has(received, value);
        });
  }

  @Test
  void valuesAlarmsAndMetadataArrive() throws CAException {
    Received received = new Received(source);
    for (String each : List.of("D", "S", "W", "B", "E")) {
      source.open(each);
    }
    await(received, "D @ 1.5");
    // The server's own records are of an undefined state.
    await(received, "S [17 3] @ beam on");
    await(received, "W [17 3] @ 1 -2 3");
    await(received, "B [17 3] @ 65 200");
    await(received, "E [17 3] @ 1");
    for (String each : List.of("D", "S", "W", "B", "E")) {
      received.await(each + " description the record " + each);
    }
    received.await(
        "E ControlData[units=, precision=OptionalInt.empty, limits=[], labels=[off, on]]");
    awaitPosted(received, 101, "D [4 1] @ 101");
    assertThat(received.events())
        .contains("D connected double 1", "S connected string 1", "E connected enum 1")
        .contains("W connected long 3", "B connected char 2")
        .noneMatch(each -> each.contains("disconnected"));
    assertThat(source.counts().dropped()).isZero();
  }

  @Test
  void channelReturnsWithItsServer() throws CAException {
    Received received = new Received(source);
    source.open("D");
    await(received, "D @ 1.5");
    int udpPort = context.getUdpServerPort();
    context.destroy();
    received.await("D disconnected CIRCUIT_CLOSED");
    number = new Watched("D", 2.5);
    context = serve(udpPort, 0);
    await(received, "D @ 2.5");
    awaitPosted(received, 3.5, "D @ 3.5");
  }

  @Test
  void channelIsFoundOverTcp() throws CAException {
    source.close();
    source = source(List.of(), List.of(address(context.getTcpServerPort())));
    Received received = new Received(source);
    source.open("D");
    await(received, "D @ 1.5");
  }
}
