package org.kblake.transfer.event;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.kblake.transfer.message.EventDatagram;

/** Datagrams over TCP, each behind its length. It does not wait. */
final class FragmentStream implements Closeable {

  private final SocketChannel channel;
  private final ByteBuffer buffer =
      ByteBuffer.allocate(2 * (Integer.BYTES + EventDatagram.MOST_BYTES));

  FragmentStream(SocketChannel channel) {
    this.channel = channel;
  }

  /** Reads what is there, and returns whether more may come. */
  boolean read(BuilderSessions sessions) throws IOException {
    try {
      if (channel.read(buffer) < 0) {
        return false;
      }
    } catch (IOException e) {
      return false;
    }
    buffer.flip();
    while (buffer.remaining() >= Integer.BYTES) {
      int length = buffer.getInt(buffer.position());
      if (length < EventDatagram.HEADER_BYTES || length > EventDatagram.MOST_BYTES) {
        return sessions.takeDatagram(null);
      }
      if (buffer.remaining() < Integer.BYTES + length) {
        break;
      }
      int begin = buffer.position() + Integer.BYTES;
      if (!sessions.takeDatagram(
          EventDatagram.read(buffer.duplicate().position(begin).limit(begin + length)))) {
        return false;
      }
      buffer.position(begin + length);
    }
    buffer.compact();
    return true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
