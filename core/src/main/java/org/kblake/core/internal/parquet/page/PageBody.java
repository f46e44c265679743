package org.kblake.core.internal.parquet.page;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.apache.parquet.format.PageType;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;

/**
 * Reads the header of one page at a time, compares its checksum and decompresses its body. The
 * array has padding behind the body, so that decoders can load whole words.
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
   * Opens a page.
   *
   * @param place the index of its header in the buffer
   * @param length the length of header and body
   * @param mostBytes the largest decompressed size that its rows can need
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

  /** Returns the length of the body, decompressed. */
  public int size() {
    return header.plainBytes();
  }

  /** Returns whether the body is not compressed. Then {@link #stored} returns it without a copy. */
  public boolean isPlain() {
    return codec == Codec.NONE;
  }

  /** Returns the body as it is stored, between the buffer's position and limit. */
  public ByteBuffer stored() {
    return fetched.clear().position(bodyPlace).limit(bodyPlace + header.bodyBytes());
  }

  /** Returns the decompressed body, from index 0 on. It is valid until another page is opened. */
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
