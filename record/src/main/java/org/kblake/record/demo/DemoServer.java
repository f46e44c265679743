package org.kblake.record.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.record.channelaccess.message.Answers;
import org.kblake.record.channelaccess.message.MalformedMessageException;
import org.kblake.record.channelaccess.message.Message;
import org.kblake.record.channelaccess.message.MessageCommand;
import org.kblake.record.channelaccess.message.MessageParser;
import org.kblake.record.channelaccess.message.Requests;

/**
 * A small server of Channel Access on the loopback address. It answers searches over TCP alone, as
 * a name server does: it has no UDP port and sends no beacons, so nothing outside of this host
 * notices it. One thread uses it. A client that does not read is cut off.
 */
final class DemoServer implements AutoCloseable {

  private static final int LARGEST_REQUEST = 1024;
  private static final int SEND_BYTES = 1 << 20;
  private static final int BAD_TYPE = 114;
  private static final String DESCRIPTION = ".DESC";

  private final Selector selector = Selector.open();
  private final ServerSocketChannel accepting = ServerSocketChannel.open();
  private final Map<String, DemoRecord> records = new HashMap<>();
  private final Map<String, byte[]> values = new HashMap<>();
  private final Set<String> away = new HashSet<>();
  private final List<Client> clients = new ArrayList<>();

  /** A channel of a client: a record, or its description. */
  private record Opened(DemoRecord record, boolean isDescription, int id, int number) {}

  /** Starts to listen at a port that is free. */
  DemoServer(Collection<DemoRecord> served) throws IOException {
    served.forEach(each -> records.put(each.name(), each));
    accepting.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    accepting.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
  }

  int port() {
    return accepting.socket().getLocalPort();
  }

  /** Returns the number of clients. */
  int clients() {
    return clients.size();
  }

  /** Answers what was asked, or waits for it. */
  void answer(long millis) throws IOException {
    selector.select(millis);
    for (SelectionKey key : selector.selectedKeys()) {
      if (key.attachment() instanceof Client client) {
        client.read();
      } else {
        accept();
      }
    }
    selector.selectedKeys().clear();
  }

  private void accept() throws IOException {
    SocketChannel socket = accepting.accept();
    if (socket != null) {
      socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
      socket.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BYTES);
      Client client = new Client(socket);
      clients.add(client);
      socket.configureBlocking(false).register(selector, SelectionKey.OP_READ, client);
      client.send(MessageCommand.VERSION, 0, MessageCommand.MINOR_VERSION, 0, 0);
    }
  }

  /** Sets the value of a record, and sends it to those who subscribed. */
  void post(String name, byte[] value) {
    values.put(name, value);
    if (!away.contains(name)) {
      List.copyOf(clients).forEach(each -> each.post(name, value));
    }
  }

  /** Removes a record from the server for a while, or brings it back. */
  void setAway(String name, boolean isAway) {
    if (isAway && away.add(name)) {
      List.copyOf(clients).forEach(each -> each.remove(name));
    } else if (!isAway) {
      away.remove(name);
    }
  }

  @Override
  public void close() throws IOException {
    for (Client each : List.copyOf(clients)) {
      each.close();
    }
    accepting.close();
    selector.close();
  }

  private final class Client implements MessageParser.Handler {

    private final SocketChannel socket;
    private final ByteBuffer received = ByteBuffer.allocate(1 << 16);
    private final MessageParser parser = new MessageParser(this);
    private final Map<Integer, Opened> channels = new HashMap<>();

    /** Subscriptions, by the number of the channel. */
    private final Map<Integer, Integer> subscriptions = new HashMap<>();

    private int lastNumber;

    Client(SocketChannel socket) {
      this.socket = socket;
    }

    void read() {
      try {
        if (socket.read(received) < 0) {
          close();
          return;
        }
        received.flip();
        parser.parse(received, LARGEST_REQUEST);
        received.compact();
      } catch (IOException | MalformedMessageException e) {
        close();
      }
    }

    void close() {
      clients.remove(this);
      try {
        socket.close();
      } catch (IOException e) {
        // It is gone.
      }
    }

    private void send(int command, int type, int count, int first, int second, byte... payload) {
      ByteBuffer message = Answers.message(command, type, count, first, second, payload);
      try {
        if (socket.isOpen()) {
          socket.write(message);
        }
        if (message.hasRemaining()) {
          close();
        }
      } catch (IOException e) {
        close();
      }
    }

    @Override
    public void handle(Message request) {
      int first = request.first();
      int second = request.second();
      switch (request.command()) {
        case MessageCommand.SEARCH -> {
          if (find(name(request)) != null) {
            send(MessageCommand.SEARCH, port(), 0, -1, first);
          }
        }
        case MessageCommand.CREATE_CHANNEL -> create(first, name(request));
        case MessageCommand.EVENT_ADD -> subscribe(first, second, request.type());
        case MessageCommand.READ_NOTIFY -> read(first, second, request.type());
        case MessageCommand.CLEAR_CHANNEL -> {
          channels.remove(first);
          subscriptions.remove(first);
          send(MessageCommand.CLEAR_CHANNEL, 0, 0, first, second);
        }
        case MessageCommand.ECHO -> send(MessageCommand.ECHO, 0, 0, 0, 0);
        default -> {
          // Nothing waits for an answer.
        }
      }
    }

    private static String name(Message request) {
      byte[] bytes = new byte[(int) request.payloadBytes()];
      request.buffer().get(request.payloadOffset(), bytes);
      String text = new String(bytes, StandardCharsets.UTF_8);
      int end = text.indexOf('\0');
      return end < 0 ? text : text.substring(0, end);
    }

    private static String recordOf(String name) {
      return name.endsWith(DESCRIPTION)
          ? name.substring(0, name.length() - DESCRIPTION.length())
          : name;
    }

    private @Nullable DemoRecord find(String name) {
      String record = recordOf(name);
      return away.contains(record) ? null : records.get(record);
    }

    private void create(int id, String name) {
      DemoRecord record = find(name);
      if (record == null) {
        send(MessageCommand.CREATE_FAILED, 0, 0, id, 0);
        return;
      }
      boolean isDescription = name.endsWith(DESCRIPTION);
      Opened opened = new Opened(record, isDescription, id, ++lastNumber);
      channels.put(opened.number(), opened);
      int type = isDescription ? ValueType.STRING.code() : record.type().code();
      send(MessageCommand.ACCESS_RIGHTS, 0, 0, id, 1);
      send(
          MessageCommand.CREATE_CHANNEL,
          type,
          isDescription ? 1 : record.count(),
          id,
          opened.number());
    }

    private void subscribe(int number, int subscription, int type) {
      Opened opened = channels.get(number);
      if (opened != null && type == Requests.timeType(opened.record().type())) {
        subscriptions.put(number, subscription);
        byte[] value = values.get(opened.record().name());
        if (value != null) {
          send(opened, subscription, value);
        }
      }
    }

    private void send(Opened opened, int subscription, byte[] value) {
      DemoRecord record = opened.record();
      send(
          MessageCommand.EVENT_ADD,
          Requests.timeType(record.type()),
          record.count(),
          MessageCommand.NORMAL,
          subscription,
          value);
    }

    void post(String name, byte[] value) {
      subscriptions.forEach(
          (number, subscription) -> {
            Opened opened = channels.get(number);
            if (opened != null && opened.record().name().equals(name)) {
              send(opened, subscription, value);
            }
          });
    }

    private void read(int number, int request, int type) {
      Opened opened = channels.get(number);
      byte[] bytes = opened == null ? null : answered(opened, type);
      int count = opened == null || opened.isDescription() ? 1 : opened.record().count();
      send(
          MessageCommand.READ_NOTIFY,
          type,
          count,
          bytes == null ? BAD_TYPE : MessageCommand.NORMAL,
          request,
          bytes == null ? new byte[0] : bytes);
    }

    private byte @Nullable [] answered(Opened opened, int type) {
      DemoRecord record = opened.record();
      if (opened.isDescription()) {
        return type == ValueType.STRING.code() ? record.descriptionBytes() : null;
      }
      if (type == Requests.controlType(record.type())) {
        return record.controlBytes();
      }
      return type == Requests.timeType(record.type()) ? values.get(record.name()) : null;
    }

    void remove(String name) {
      for (Opened each : List.copyOf(channels.values())) {
        if (each.record().name().equals(name)) {
          channels.remove(each.number());
          subscriptions.remove(each.number());
          send(MessageCommand.SERVER_DISCONNECTED, 0, 0, each.id(), 0);
        }
      }
    }
  }
}
