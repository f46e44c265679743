package org.kblake.transfer.event;

import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.kblake.transfer.message.EventCodec;
import org.kblake.transfer.message.EventDatagram;
import org.kblake.transfer.message.EventMessage;
import org.kblake.transfer.message.EventMessage.Assign;
import org.kblake.transfer.message.EventMessage.Begin;
import org.kblake.transfer.message.EventMessage.End;
import org.kblake.transfer.message.EventMessage.Instants;
import org.kblake.transfer.message.EventPeer;
import org.kblake.transfer.message.EventSession;
import org.kblake.transfer.message.EventTicket;

/**
 * A collector whose datagrams are bad: of every ten one is lost, one comes twice, one lies about
 * its length, one is of another session, and all of a message come in the opposite order.
 */
final class RawEventCollector implements Runnable {

  private final InetSocketAddress manager;
  private final String name;
  private long silentFrom = Long.MAX_VALUE;

  RawEventCollector(String name, InetSocketAddress manager) {
    this.name = name;
    this.manager = manager;
  }

  /** Lets it do nothing more, with its connection open, from a ticket on. */
  void silentFrom(long ticket) {
    silentFrom = ticket;
  }

  static boolean loses(EventTicket ticket) {
    return ticket.number() % 10 == 3;
  }

  @Override
  public void run() {
    try (Socket control = new Socket(manager.getAddress(), manager.getPort());
        DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      OutputStream out = control.getOutputStream();
      write(out, new EventMessage.Hello(false, name, socket.getLocalPort()));
      EventSession session = null;
      while (true) {
        EventMessage message = EventCodec.read(control.getInputStream());
        if (message instanceof Begin begin) {
          session = begin.session();
        } else if (message instanceof Instants && session != null) {
          write(out, new EventMessage.Ready(session.own(), "of " + name));
        } else if (message instanceof Assign assign
            && assign.tickets().stream().anyMatch(each -> each.number() >= silentFrom)) {
          silentFrom = 0;
          control.getInputStream().transferTo(OutputStream.nullOutputStream());
        } else if (message instanceof Assign assign && session != null) {
          write(out, new Assign(List.of())); // says that it lives
          List<EventTicket> tickets = new ArrayList<>(assign.tickets());
          Collections.reverse(tickets);
          for (EventTicket each : tickets) {
            send(socket, session, each);
          }
        } else if (message instanceof End) {
          write(out, new EventMessage.Tally(0, 0, 0, 0, 0, 0));
        }
      }
    } catch (IOException e) {
      // The manager has ended.
    }
  }

  private static void write(OutputStream out, EventMessage message) throws IOException {
    ByteBuffer bytes = EventCodec.encode(message);
    Channels.newChannel(out).write(bytes);
  }

  private void send(DatagramSocket socket, EventSession session, EventTicket ticket)
      throws IOException {
    byte[] fragment = (name + "=" + ticket.event()).getBytes(StandardCharsets.UTF_8);
    long kind = ticket.number() % 10;
    ByteBuffer good = datagram(session, session.key(), ticket, fragment);
    if (kind == 5) {
      ByteBuffer lie = datagram(session, session.key(), ticket, fragment);
      lie.putInt(27, 50_000);
      send(socket, session, ticket, lie);
      send(socket, session, ticket, good.duplicate().limit(20));
    }
    if (kind == 7) {
      send(socket, session, ticket, datagram(session, session.key() + 1, ticket, fragment));
    }
    for (int copies = loses(ticket) ? 0 : kind == 4 ? 2 : 1; copies > 0; copies--) {
      send(socket, session, ticket, good);
    }
  }

  private static ByteBuffer datagram(
      EventSession session, long key, EventTicket ticket, byte[] fragment) {
    ByteBuffer out = ByteBuffer.allocate(200);
    new EventDatagram(
            key, false, session.own(), ticket.number(), ticket.event(), ByteBuffer.wrap(fragment))
        .put(out);
    return out.flip();
  }

  private static void send(
      DatagramSocket socket, EventSession session, EventTicket ticket, ByteBuffer bytes)
      throws IOException {
    EventPeer builder = session.builders().get(ticket.builder());
    byte[] sent = new byte[bytes.limit()];
    bytes.get(0, sent);
    socket.send(
        new DatagramPacket(
            sent, sent.length, new InetSocketAddress(builder.host(), builder.port())));
  }
}
