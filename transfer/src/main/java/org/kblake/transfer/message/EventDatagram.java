package org.kblake.transfer.message;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A datagram of an event builder, or the same bytes over TCP behind their length:
 *
 * <pre>
 * magic int32 | session int64 | kind int8 | sender int16 | ticket int64 | event int32
 *     | length int32 | CRC32C int32 | payload
 * </pre>
 *
 * @param request whether a builder asks for a fragment; otherwise a collector sends one
 * @param sender the index of the builder that asks, or of the collector
 * @param payload the fragment; empty in a request
 */
public record EventDatagram(
    long session, boolean request, int sender, long ticket, int event, ByteBuffer payload) {

  /** The most bytes of a fragment: a datagram has at most 65,507. */
  public static final int MOST_PAYLOAD = 60_000;

  /** The bytes before the payload. */
  public static final int HEADER_BYTES = 35;

  /** The most bytes of a datagram. */
  public static final int MOST_BYTES = HEADER_BYTES + MOST_PAYLOAD;

  private static final int SUMMED_BYTES = HEADER_BYTES - Integer.BYTES;
  private static final int MAGIC = 0x4B424530 + EventCodec.VERSION; // KBE1

  /** Writes the datagram. The caller flips the buffer. */
  public void put(ByteBuffer out) {
    int start = out.position();
    out.putInt(MAGIC).putLong(session).put((byte) (request ? 1 : 0)).putShort((short) sender);
    out.putLong(ticket).putInt(event).putInt(payload.remaining());
    out.putInt(checksum(out, start, payload)).put(payload.duplicate());
  }

  /**
   * Reads a datagram.
   *
   * @param in its bytes, all of them
   * @return null if they are none of this version, whole and unchanged; the payload is of the
   *     buffer's bytes
   */
  public static @Nullable EventDatagram read(ByteBuffer in) {
    int start = in.position();
    if (in.remaining() < HEADER_BYTES || in.getInt() != MAGIC) {
      return null;
    }
    long session = in.getLong();
    int kind = in.get();
    int sender = in.getShort();
    long ticket = in.getLong();
    int event = in.getInt();
    int length = in.getInt();
    int checksum = in.getInt();
    if (length != in.remaining()
        || length > MOST_PAYLOAD
        || kind < 0
        || kind > 1
        || sender < 0
        || sender >= EventMessage.MOST_PEERS
        || event < 0
        || checksum != checksum(in, start, in)) {
      return null;
    }
    return new EventDatagram(session, kind == 1, sender, ticket, event, in.slice());
  }

  private static int checksum(ByteBuffer header, int start, ByteBuffer payload) {
    CRC32C sum = new CRC32C();
    sum.update(header.duplicate().limit(start + SUMMED_BYTES).position(start));
    sum.update(payload.duplicate());
    return (int) sum.getValue();
  }
}
