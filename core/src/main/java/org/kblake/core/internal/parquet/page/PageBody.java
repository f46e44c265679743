package org.kblake.core.internal.parquet.page;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.apache.parquet.format.PageType;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;

/**
 * One page at a time: its header read, its checksum compared, its body decompressed. Behind the
 * body there is always room for decoders to load whole words.
 */
public final class PageBody {

  /** Bytes behind the body that decoders may read. */
  private static final int PADDING = 16;

  private final PageDecompressor decompressor = new PageDecompressor();
  private final CRC32 crc = new CRC32();
  private final byte[] head = new byte[PageHeaderFields.MAX_BYTES];
  private byte[] bytes = new byte[1 << 16];
  private ByteBuffer fetched = ByteBuffer.allocate(0);
  private PageHeaderFields header = new PageHeaderFields(0, 0, 0, 0, 0, 0);
  private Codec codec = Codec.NONE;
  private int bodyPlace;
  private boolean loaded;

  /**
   * Turns to a page.
   *
   * @param place where its header begins in the buffer
   * @param length of header and body
   * @param mostBytes what its rows can need, decompressed
   */
  public void open(
      ByteBuffer buffer, int place, int length, PageType type, Codec pageCodec, long mostBytes)
      throws MalformedPageException {
    fetched = buffer;
    codec = pageCodec;
    loaded = false;
    int headLength = Math.min(length, head.length);
    buffer.clear().position(place);
    buffer.get(head, 0, headLength);
    header = PageHeaderFields.parse(head, headLength, type);
    bodyPlace = place + header.headerBytes();
    if (header.bodyBytes() != length - header.headerBytes()) {
      throw new MalformedPageException(
          "page of " + header.bodyBytes() + " bytes",
          Integer.toString(length - header.headerBytes()));
    }
    if (header.plainBytes() > mostBytes
        || !PageDecompressor.plausible(codec, header.bodyBytes(), header.plainBytes())) {
      throw new MalformedPageException(
          "page of " + header.plainBytes() + " bytes, uncompressed",
          "what " + header.bodyBytes() + " bytes can hold, at most " + mostBytes);
    }
    crc.reset();
    crc.update(stored());
    if ((int) crc.getValue() != header.crc()) {
      throw new MalformedPageException(
          "page checksum " + Integer.toHexString((int) crc.getValue()),
          Integer.toHexString(header.crc()));
    }
  }

  public PageHeaderFields header() {
    return header;
  }

  /** Length of the body, decompressed. */
  public int size() {
    return header.plainBytes();
  }

  /** Whether the body is stored as it is, so that {@link #stored} shows it without a copy. */
  public boolean isPlain() {
    return codec == Codec.NONE;
  }

  /** The body as it is stored, between the buffer's position and limit. */
  public ByteBuffer stored() {
    return fetched.clear().position(bodyPlace).limit(bodyPlace + header.bodyBytes());
  }

  /** The body, decompressed, from index 0 on. Valid until another page is opened. */
  public byte[] bytes() throws MalformedPageException {
    if (!loaded) {
      int size = header.plainBytes();
      if (bytes.length < size + PADDING) {
        bytes = new byte[size + (size >> 2) + PADDING];
      }
      decompressor.decompress(codec, stored(), bytes, size);
      loaded = true;
    }
    return bytes;
  }
}
