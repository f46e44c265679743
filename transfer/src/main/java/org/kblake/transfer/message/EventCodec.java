package org.kblake.transfer.message;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Messages of event builders as bytes: {@code length int32 | type int8 | body}. */
public final class EventCodec {

  /** The version of the protocol, and of the datagrams. */
  public static final int VERSION = 1;

  /** The most instants of a session. */
  public static final int MOST_EVENTS = 1_000_000;

  /** The longest time that an event has: an hour. */
  public static final long MOST_DEADLINE_NANOS = 3600_000_000_000L;

  private static final int MAX_BYTES = 1 << 18;
  private static final int TICKET_BYTES = 14;
  private static final int MAX_TEXT_BYTES = (1 << 16) - 1;
  private static final int MAX_CHANNELS = 1000;
  private static final int MAX_NAME_BYTES = 200;
  private static final int MAGIC = 0x4B424556; // KBEV

  private static final int HELLO = 1;
  private static final int REFUSED = 2;
  private static final int BEGIN = 3;
  private static final int INSTANTS = 4;
  private static final int READY = 5;
  private static final int ASSIGN = 6;
  private static final int OUTCOME = 7;
  private static final int END = 8;
  private static final int TALLY = 9;

  private EventCodec() {}

  /**
   * Returns the bytes of a message.
   *
   * @throws ProtocolException if it is too long
   */
  public static ByteBuffer encode(EventMessage message) throws ProtocolException {
    ByteBuffer out = ByteBuffer.allocate(most(message));
    out.position(Integer.BYTES);
    if (message instanceof EventMessage.Hello hello) {
      out.put((byte) HELLO).putInt(MAGIC).putShort((short) VERSION);
      out.put((byte) (hello.builds() ? 1 : 0));
      putText(out, hello.name()).putInt(hello.port());
    } else if (message instanceof EventMessage.Refused refused) {
      putText(out.put((byte) REFUSED), refused.reason());
    } else if (message instanceof EventMessage.Begin begin) {
      put(out.put((byte) BEGIN), begin.session());
      out = ByteBuffer.wrap(Arrays.copyOf(out.array(), out.position())).position(out.position());
    } else if (message instanceof EventMessage.Instants instants) {
      out.put((byte) INSTANTS).putShort((short) instants.nanos().size());
      instants.nanos().forEach(out::putLong);
    } else if (message instanceof EventMessage.Ready ready) {
      byte[] columns = bytes(ready.columns(), MAX_BYTES - 64);
      out.put((byte) READY).putShort((short) ready.collector()).putInt(columns.length).put(columns);
    } else if (message instanceof EventMessage.Assign assign) {
      out.put((byte) ASSIGN).putShort((short) assign.tickets().size());
      for (EventTicket each : assign.tickets()) {
        out.putLong(each.number()).putInt(each.event()).putShort((short) each.builder());
      }
    } else if (message instanceof EventMessage.Outcome outcome) {
      out.put((byte) OUTCOME).putLong(outcome.ticket()).putLong(outcome.missing());
    } else if (message instanceof EventMessage.End) {
      out.put((byte) END);
    } else if (message instanceof EventMessage.Tally tally) {
      out.put((byte) TALLY).putLong(tally.bytes()).putLong(tally.late()).putLong(tally.twice());
      out.putLong(tally.strange()).putLong(tally.dropped()).putLong(tally.repeated());
    }
    out.putInt(0, out.position() - Integer.BYTES);
    return out.flip();
  }

  /** Returns the bytes that a message has at most. */
  private static int most(EventMessage message) {
    int most = 128;
    if (message instanceof EventMessage.Hello hello) {
      most += 3 * hello.name().length();
    } else if (message instanceof EventMessage.Refused refused) {
      most += 3 * refused.reason().length();
    } else if (message instanceof EventMessage.Begin) {
      most = MAX_BYTES;
    } else if (message instanceof EventMessage.Instants instants) {
      most += Long.BYTES * instants.nanos().size();
    } else if (message instanceof EventMessage.Ready ready) {
      most += 3 * ready.columns().length();
    } else if (message instanceof EventMessage.Assign assign) {
      most += TICKET_BYTES * assign.tickets().size();
    }
    return most;
  }

  private static void put(ByteBuffer out, EventSession session) throws ProtocolException {
    out.putLong(session.key()).putShort((short) session.own());
    out.put((byte) ((session.pulls() ? 1 : 0) | (session.tcp() ? 2 : 0)));
    out.putLong(session.deadlineNanos()).putInt(session.events());
    out.putShort((short) session.channels().size());
    for (String each : session.channels()) {
      if (each.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES
          || session.channels().size() > MAX_CHANNELS) {
        throw new ProtocolException(
            "at most 1000 names and globs of channels of 200 bytes are possible; use a glob");
      }
      putText(out, each);
    }
    for (List<EventPeer> peers : List.of(session.collectors(), session.builders())) {
      out.putShort((short) peers.size());
      for (EventPeer peer : peers) {
        putText(putText(out, peer.name()), peer.host()).putInt(peer.port());
      }
    }
  }

  private static ByteBuffer putText(ByteBuffer out, String text) throws ProtocolException {
    byte[] bytes = bytes(text, MAX_TEXT_BYTES);
    return out.putShort((short) bytes.length).put(bytes);
  }

  private static byte[] bytes(String text, int most) throws ProtocolException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > most) {
      throw new ProtocolException("text is too long: bytes=" + bytes.length + ", at most " + most);
    }
    return bytes;
  }

  /**
   * Reads a message.
   *
   * @throws EOFException if the connection has ended
   * @throws ProtocolException if the bytes are no message
   */
  public static EventMessage read(InputStream in) throws IOException {
    byte[] prefix = in.readNBytes(Integer.BYTES);
    if (prefix.length < Integer.BYTES) {
      throw new EOFException("the other side has closed the connection");
    }
    int length = ByteBuffer.wrap(prefix).getInt();
    if (length < 1 || length > MAX_BYTES) {
      throw new ProtocolException(
          "message has a wrong length: length=" + length + ", expected 1 to " + MAX_BYTES);
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the connection ended inside a message");
    }
    return decode(ByteBuffer.wrap(bytes));
  }

  private static EventMessage decode(ByteBuffer in) throws ProtocolException {
    int type = in.get();
    try {
      EventMessage message =
          switch (type) {
            case HELLO -> hello(in);
            case REFUSED -> new EventMessage.Refused(text(in));
            case BEGIN -> new EventMessage.Begin(session(in));
            case INSTANTS -> instants(in);
            case READY -> new EventMessage.Ready(index(in), string(in, in.getInt()));
            case ASSIGN -> assign(in);
            case OUTCOME -> new EventMessage.Outcome(in.getLong(), in.getLong());
            case END -> new EventMessage.End();
            case TALLY ->
                new EventMessage.Tally(
                    in.getLong(),
                    in.getLong(),
                    in.getLong(),
                    in.getLong(),
                    in.getLong(),
                    in.getLong());
            default -> throw new ProtocolException("message has an unknown type: type=" + type);
          };
      if (in.hasRemaining()) {
        throw new ProtocolException(
            "message is too long: type=" + type + ", bytes left=" + in.remaining());
      }
      return message;
    } catch (BufferUnderflowException e) {
      throw new ProtocolException("message is too short: type=" + type);
    }
  }

  private static EventMessage hello(ByteBuffer in) throws ProtocolException {
    if (in.getInt() != MAGIC) {
      throw new ProtocolException("the connection does not begin as one of an event builder");
    }
    int version = Short.toUnsignedInt(in.getShort());
    if (version != VERSION) {
      throw new ProtocolException(
          "the other side has another version of the event builder: found="
              + version
              + ", expected="
              + VERSION
              + "; install the same kblake on all hosts");
    }
    return new EventMessage.Hello(in.get() != 0, text(in), port(in));
  }

  private static EventSession session(ByteBuffer in) throws ProtocolException {
    long key = in.getLong();
    int own = index(in);
    int flags = in.get();
    long deadline = in.getLong();
    int events = in.getInt();
    if (deadline <= 0 || deadline > MOST_DEADLINE_NANOS || events < 0 || events > MOST_EVENTS) {
      throw new ProtocolException(
          "session is out of bounds: deadline=" + deadline + " ns, events=" + events);
    }
    List<String> channels = new ArrayList<>();
    for (int count = count(in, MAX_CHANNELS); count > 0; count--) {
      channels.add(text(in));
    }
    List<EventPeer> collectors = peers(in);
    List<EventPeer> builders = peers(in);
    return new EventSession(
        key,
        own,
        (flags & 1) != 0,
        (flags & 2) != 0,
        deadline,
        events,
        channels,
        collectors,
        builders);
  }

  private static List<EventPeer> peers(ByteBuffer in) throws ProtocolException {
    List<EventPeer> peers = new ArrayList<>();
    for (int count = count(in, EventMessage.MOST_PEERS); count > 0; count--) {
      peers.add(new EventPeer(text(in), text(in), port(in)));
    }
    return peers;
  }

  private static EventMessage instants(ByteBuffer in) throws ProtocolException {
    List<Long> nanos = new ArrayList<>();
    for (int count = count(in, EventMessage.Instants.MOST); count > 0; count--) {
      nanos.add(in.getLong());
    }
    return new EventMessage.Instants(nanos);
  }

  private static EventMessage assign(ByteBuffer in) throws ProtocolException {
    List<EventTicket> tickets = new ArrayList<>();
    for (int count = count(in, EventMessage.Assign.MOST); count > 0; count--) {
      tickets.add(new EventTicket(in.getLong(), in.getInt(), index(in)));
    }
    return new EventMessage.Assign(tickets);
  }

  private static int count(ByteBuffer in, int most) throws ProtocolException {
    int count = Short.toUnsignedInt(in.getShort());
    if (count > most) {
      throw new ProtocolException("message has too many entries: " + count + ", at most " + most);
    }
    return count;
  }

  private static int index(ByteBuffer in) throws ProtocolException {
    return count(in, EventMessage.MOST_PEERS - 1);
  }

  private static int port(ByteBuffer in) throws ProtocolException {
    int port = in.getInt();
    if (port < 1 || port > 65_535) {
      throw new ProtocolException("the other side names no port: port=" + port);
    }
    return port;
  }

  private static String text(ByteBuffer in) throws ProtocolException {
    // A peer's text may be in a log of this host.
    return string(in, Short.toUnsignedInt(in.getShort())).replaceAll("\\p{Cntrl}", "?");
  }

  private static String string(ByteBuffer in, int length) throws ProtocolException {
    if (length < 0 || length > in.remaining()) {
      throw new ProtocolException("text has a wrong length: length=" + length);
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
