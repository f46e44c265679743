package org.kblake.record.channelaccess;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.ValueType;
import org.kblake.record.channelaccess.message.ChannelNumbers;
import org.kblake.record.channelaccess.message.MalformedMessageException;
import org.kblake.record.channelaccess.message.MessageParser;
import org.kblake.record.fixture.Wire;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.DisconnectReason;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.EventRing;

/**
 * A server that sends anything: the client refuses it or gives events that can be decoded, in an
 * order that makes sense.
 */
final class CircuitMessagesTest {

  private static final int CHANNELS = 4;
  private static final InetSocketAddress SERVER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  /** The sender is not part of this test. */
  private static final class NoTasks implements ReceiverTasks {
    @Override
    public void found(int channel, InetSocketAddress server) {}

    @Override
    public void created(ClientChannel channel) {}

    @Override
    public void lost(ClientChannel channel, Circuit from) {}

    @Override
    public void metadataRead(ClientChannel channel) {}

    @Override
    public void metadataWanted(ClientChannel channel) {}

    @Override
    public void metadataFailed(ClientChannel channel) {}

    @Override
    public void valueWanted(ClientChannel channel) {}

    @Override
    public void versionKnown(Circuit circuit) {}

    @Override
    public void unknown(Circuit circuit, ChannelNumbers channel) {}

    @Override
    public void ended(Circuit circuit) {}

    @Override
    public void repeaterConfirmed() {}

    @Override
    public void beacon(InetSocketAddress server, int number) {}
  }

  private final boolean[] connected = new boolean[CHANNELS];
  private final int[] counts = new int[CHANNELS];
  private final ValueType[] types = new ValueType[CHANNELS];
  private int values;

  @Test
  void randomMessagesGiveEventsInAnOrderThatMakesSense() throws Exception {
    Seeds.each("CircuitMessagesTest", Seeds.cases(300, 20_000), this::takeRandom);
    if (!Seeds.isOneGiven()) {
      assertThat(values).isPositive();
    }
  }

  private void takeRandom(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    EventQueue events = new EventQueue(new EventRing(1 << 16));
    ChannelTable channels = new ChannelTable(events::nextChannel);
    CircuitMessages messages = new CircuitMessages(channels, events, new NoTasks(), 10_000);
    MessageParser parser = new MessageParser(messages);
    try (SocketChannel socket = SocketChannel.open()) {
      Circuit circuit = new Circuit(SERVER, socket, 0);
      for (int i = 0; i < CHANNELS; i++) {
        ClientChannel channel = channels.add("C" + i);
        ClientChannel description = new ClientChannel(~i, "C" + i + ".DESC");
        if (i > 0) {
          // The first one is on no circuit.
          channel.assign(circuit);
          description.assign(circuit);
          channel.setDescription(description);
        }
        connected[i] = false;
      }
      messages.begin(circuit, 1);
      for (int i = 0; i < 60; i++) {
        if (random.nextInt(20) == 0) {
          messages.silence(circuit, 1);
          messages.resume(circuit);
        }
        ByteBuffer bytes = ByteBuffer.wrap(message(random));
        try {
          parser.parse(bytes, random.nextInt(4) == 0 ? 64 : 1 << 20);
          assertThat(bytes.hasRemaining()).isFalse();
        } catch (MalformedMessageException e) {
          assertThat(e.getMessage())
              .matches("message has (an unknown command|a wrong size): command=.*");
        }
        events.poll(this::check, 100);
      }
      messages.end(circuit, DisconnectReason.NO_ANSWER, 2);
      events.poll(this::check, 100);
      assertThat(connected).containsOnly(false);
      assertThat(events.lost()).isZero();
    }
  }

  /** A message of a command that matters, with numbers that are often right. */
  private static byte[] message(SplittableRandom random) {
    int[] commands = {
      0, 1, 1, 1, 1, 1, 6, 10, 11, 12, 13, 14, 15, 15, 18, 18, 18, 22, 23, 26, 27, 99
    };
    int command = commands[random.nextInt(commands.length)];
    int elements = random.nextInt(random.nextInt(10) == 0 ? 2000 : 5);
    int type = random.nextInt(8);
    int[] bytesOf = {40, 2, 4, 2, 1, 4, 8, 8};
    int size = random.nextInt(4) > 0 ? 16 + elements * bytesOf[type] : random.nextInt(600);
    byte[] payload = new byte[command == 1 || command == 15 || command == 11 ? size : 0];
    random.nextBytes(payload);
    int sent =
        switch (command) {
          case 1 -> 14 + type;
          case 15 -> random.nextBoolean() ? 28 + type : 0;
          default -> type;
        };
    int id = random.nextInt(-CHANNELS - 1, CHANNELS + 1);
    boolean isChannelFirst = command == 18 || command == 22 || command >= 26;
    long count = random.nextInt(10) == 0 ? random.nextLong(1L << 32) : elements;
    int first = isChannelFirst ? id : random.nextInt(10) == 0 ? 46 << 3 : 1;
    int second = isChannelFirst ? random.nextInt(4) : id;
    return Wire.message(command, sent, count, first, second, payload);
  }

  private void check(ChannelEvent event) {
    int channel = event.channel();
    assertThat(channel).isBetween(1, CHANNELS - 1);
    if (event.kind() == EventKind.CONNECTED) {
      assertThat(connected[channel]).isFalse();
      connected[channel] = true;
      counts[channel] = event.count();
      types[channel] = event.type();
      assertThat((long) event.count() * event.type().bytes()).isBetween(1L, 10_000L);
    } else if (event.kind() == EventKind.DISCONNECTED) {
      // A refusal may come first.
      connected[channel] = false;
      assertThat(event.reason().text()).isNotEmpty();
    } else if (event.kind() == EventKind.VALUE) {
      values++;
      assertThat(connected[channel]).isTrue();
      assertThat(event.type()).isEqualTo(types[channel]);
      assertThat(event.count()).isBetween(0, Math.max(counts[channel], 10_000));
      ByteBuffer elements = ByteBuffer.allocate(event.count() * event.type().bytes());
      event.putElements(elements);
      assertThat(elements.hasRemaining()).isFalse();
    } else if (event.kind() == EventKind.METADATA) {
      assertThat(event.control().labels()).hasSizeLessThanOrEqualTo(16);
    } else {
      assertThat(event.text(0).length()).isLessThanOrEqualTo(40);
    }
  }
}
