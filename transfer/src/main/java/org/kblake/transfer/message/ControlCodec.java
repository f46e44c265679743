package org.kblake.transfer.message;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Messages of control connections as bytes: {@code length int32 | type int8 | body}. */
public final class ControlCodec {

  /** The version of the protocol. */
  public static final int VERSION = 1;

  private static final int MAX_BYTES = 4096;
  private static final int MAX_TEXT_BYTES = 1024;
  private static final int MAGIC = 0x4B424741; // KBGA

  private static final int HELLO = 1;
  private static final int WELCOME = 2;
  private static final int REFUSED = 3;
  private static final int POSITION = 4;
  private static final int DENIED = 5;
  private static final int CREDIT = 6;
  private static final int BEAT = 7;
  private static final int HAS = 8;

  private ControlCodec() {}

  /** Returns the bytes of a message. */
  public static ByteBuffer encode(Control message) {
    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + MAX_BYTES);
    out.position(Integer.BYTES);
    if (message instanceof Control.Hello hello) {
      out.put((byte) HELLO).putInt(MAGIC).putShort((short) VERSION);
      putText(out, hello.name());
      out.putLong(hello.process());
      putText(out, hello.token());
    } else if (message instanceof Control.Welcome welcome) {
      out.put((byte) WELCOME).putShort((short) VERSION);
      out.putLong(welcome.session().high()).putLong(welcome.session().low());
      out.putInt(welcome.dataPort());
    } else if (message instanceof Control.Refused refused) {
      putText(out.put((byte) REFUSED), refused.reason());
    } else if (message instanceof Control.Has has) {
      out.put((byte) HAS).putInt(has.number()).putLong(has.since());
      out.put((byte) has.pairs().size());
      for (PairBytes pair : has.pairs()) {
        out.putLong(pair.stamp()).putLong(pair.log()).putLong(pair.index());
      }
    } else if (message instanceof Control.Position position) {
      out.put((byte) POSITION).putInt(position.number()).putLong(position.pair().stamp());
      putFile(out, position.pair().log());
      putFile(out, position.pair().index());
    } else if (message instanceof Control.Denied denied) {
      putText(out.put((byte) DENIED).putInt(denied.number()), denied.reason());
    } else if (message instanceof Control.Credit credit) {
      out.put((byte) CREDIT).putLong(credit.totalBytes());
    } else if (message instanceof Control.Beat beat) {
      out.put((byte) BEAT).putLong(beat.bytes()).putLong(beat.behind());
    }
    out.putInt(0, out.position() - Integer.BYTES);
    return out.flip();
  }

  private static void putFile(ByteBuffer out, FilePosition file) {
    out.putLong(file.bytes()).putInt(file.checksum());
  }

  private static void putText(ByteBuffer out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, MAX_TEXT_BYTES);
    out.putShort((short) length).put(bytes, 0, length);
  }

  /**
   * Reads a message.
   *
   * @throws EOFException if the connection has ended
   * @throws ProtocolException if the bytes are no message
   */
  public static Control read(InputStream in) throws IOException {
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

  /** Returns the message of a type and a body. */
  static Control decode(ByteBuffer in) throws ProtocolException {
    int type = in.get();
    try {
      Control message =
          switch (type) {
            case HELLO -> hello(in);
            case WELCOME -> welcome(in);
            case REFUSED -> new Control.Refused(text(in));
            case POSITION ->
                new Control.Position(
                    in.getInt(), new PairPosition(in.getLong(), file(in), file(in)));
            case DENIED -> new Control.Denied(in.getInt(), text(in));
            case CREDIT -> new Control.Credit(in.getLong());
            case BEAT -> new Control.Beat(in.getLong(), in.getLong());
            case HAS -> has(in);
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

  private static Control hello(ByteBuffer in) throws ProtocolException {
    if (in.getInt() != MAGIC) {
      throw new ProtocolException("the connection does not begin as one of a builder");
    }
    requireVersion(in, "builder");
    String name = text(in);
    long process = in.getLong();
    return new Control.Hello(name, process, text(in));
  }

  private static Control welcome(ByteBuffer in) throws ProtocolException {
    requireVersion(in, "collector");
    SessionKey key = new SessionKey(in.getLong(), in.getLong());
    int port = in.getInt();
    if (port < 1 || port > 65_535) {
      throw new ProtocolException("the collector names no port: port=" + port);
    }
    return new Control.Welcome(key, port);
  }

  private static void requireVersion(ByteBuffer in, String side) throws ProtocolException {
    int version = Short.toUnsignedInt(in.getShort());
    if (version != VERSION) {
      throw new ProtocolException(
          "the "
              + side
              + " has another version of the transfer: found="
              + version
              + ", expected="
              + VERSION
              + "; install the same kblake on both hosts");
    }
  }

  private static Control has(ByteBuffer in) throws ProtocolException {
    int number = in.getInt();
    long since = in.getLong();
    int count = in.get();
    if (count < 0 || count > Control.Has.MAX_PAIRS) {
      throw new ProtocolException("message has a wrong number of pairs: pairs=" + count);
    }
    List<PairBytes> pairs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      PairBytes pair = new PairBytes(in.getLong(), size(in), size(in));
      if (i > 0 && pair.stamp() <= pairs.get(i - 1).stamp()) {
        throw new ProtocolException("message has pairs out of order");
      }
      pairs.add(pair);
    }
    return new Control.Has(number, since, List.copyOf(pairs));
  }

  private static FilePosition file(ByteBuffer in) throws ProtocolException {
    return new FilePosition(size(in), in.getInt());
  }

  private static long size(ByteBuffer in) throws ProtocolException {
    long bytes = in.getLong();
    if (bytes < 0) {
      throw new ProtocolException("message has a negative size: bytes=" + bytes);
    }
    return bytes;
  }

  private static String text(ByteBuffer in) throws ProtocolException {
    int length = Short.toUnsignedInt(in.getShort());
    if (length > MAX_TEXT_BYTES || length > in.remaining()) {
      throw new ProtocolException("text has a wrong length: length=" + length);
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    // A peer's text may be in a log of this host.
    return new String(bytes, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
  }
}
