package org.kblake.core.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A file of a few checked sections, big-endian; a reader fetches just those it needs.
 *
 * <pre>
 *   magic u64 | sections u32 | entry * sections | crc32c of all before u32 | section bytes ...
 *   entry: offset u64 | stored bytes u32 | bytes u32 | crc32c of the stored bytes u32
 * </pre>
 *
 * Sections are known by their ordinal. One that is stored in fewer bytes than it has is deflated
 * (RFC 1950).
 */
final class Sections {

  private static final int ENTRY_BYTES = 20;
  private static final int LARGEST_SECTION_BYTES = 1 << 30;

  /** Read at once: header and what is small. */
  private static final int START_BYTES = 1 << 11;

  /** Deflate cannot do better: a section that claims more is not believed. */
  private static final int LARGEST_INFLATION = 1040;

  private Sections() {}

  private static int headerBytes(int sections) {
    return 8 + 4 + sections * ENTRY_BYTES + 4;
  }

  /** What fills one section. */
  interface Content {
    void write(DataOutputStream out) throws IOException;
  }

  /** The bytes of one section. */
  static byte[] bytes(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      content.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Writes a whole file. */
  static void write(StoreFiles.Output output, long magic, byte[]... sections) throws IOException {
    byte[][] stored = new byte[sections.length][];
    ByteBuffer header = ByteBuffer.allocate(headerBytes(sections.length));
    header.putLong(magic).putInt(sections.length);
    long offset = header.capacity();
    for (int i = 0; i < sections.length; i++) {
      stored[i] = deflate(sections[i]);
      header.putLong(offset).putInt(stored[i].length).putInt(sections[i].length);
      header.putInt(crc(stored[i], 0, stored[i].length));
      offset += stored[i].length;
    }
    header.putInt(crc(header.array(), 0, header.position()));
    output.write(header.flip());
    for (byte[] section : stored) {
      output.write(ByteBuffer.wrap(section));
    }
  }

  /**
   * Sections that were read.
   *
   * @param checksum of the header, which has that of every section: two files that have the same
   *     checksum are the same
   * @param sections in the order in which they were asked for
   */
  record Read(int checksum, DataInputStream[] sections) {}

  /**
   * Reads some sections of a file in one opening.
   *
   * @param count how many sections the file must have
   * @param wanted their ordinals
   * @throws CorruptBlockException if the file is missing, cut short or has a wrong checksum
   */
  static Read read(Path file, long magic, int count, int... wanted) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      ByteBuffer start = ByteBuffer.allocate((int) Math.min(size, START_BYTES));
      readFully(channel, file, start, 0);
      if (start.capacity() < headerBytes(count)) {
        throw new CorruptBlockException(
            file, start.capacity(), "end of file", "a header of " + headerBytes(count) + " bytes");
      }
      ByteBuffer header = start.flip().slice(0, headerBytes(count));
      if (header.getLong() != magic) {
        throw new CorruptBlockException(
            file, 0, Long.toHexString(header.getLong(0)), Long.toHexString(magic));
      }
      int sections = header.getInt();
      if (sections != count) {
        throw new CorruptBlockException(file, 8, sections + " sections", count + " sections");
      }
      int crcAt = header.capacity() - 4;
      if (header.getInt(crcAt) != crc(start.array(), 0, crcAt)) {
        throw new CorruptBlockException(file, crcAt, "another checksum", "that of the header");
      }
      DataInputStream[] streams = new DataInputStream[wanted.length];
      for (int i = 0; i < wanted.length; i++) {
        int at = 12 + wanted[i] * ENTRY_BYTES;
        streams[i] = section(channel, file, size, header, at, start);
      }
      return new Read(header.getInt(crcAt), streams);
    } catch (NoSuchFileException e) {
      throw new CorruptBlockException(file, 0, "no file", "a file of the block");
    }
  }

  /**
   * @param start what was read of the file already, from its beginning
   */
  private static DataInputStream section(
      FileChannel channel, Path file, long size, ByteBuffer header, int at, ByteBuffer start)
      throws IOException {
    long offset = header.getLong(at);
    int stored = header.getInt(at + 8);
    int bytes = header.getInt(at + 12);
    if (stored < 0
        || bytes < stored
        || bytes > LARGEST_SECTION_BYTES
        || bytes > (long) stored * LARGEST_INFLATION
        || offset < 0
        || offset > size - stored) {
      throw new CorruptBlockException(
          file, offset, stored + " bytes in a file of " + size, "a section inside the file");
    }
    ByteBuffer content = ByteBuffer.allocate(stored);
    if (offset + stored <= start.capacity()) {
      start.get((int) offset, content.array());
    } else {
      readFully(channel, file, content, offset);
    }
    if (header.getInt(at + 16) != crc(content.array(), 0, stored)) {
      throw new CorruptBlockException(file, offset, "another checksum", "that of the section");
    }
    byte[] inflated =
        stored == bytes ? content.array() : inflate(file, offset, content.array(), bytes);
    return new DataInputStream(new ByteArrayInputStream(inflated));
  }

  private static void readFully(FileChannel channel, Path file, ByteBuffer into, long offset)
      throws IOException {
    long at = offset;
    while (into.hasRemaining()) {
      int read = channel.read(into, at);
      if (read < 0) {
        throw new CorruptBlockException(file, at, "end of file", into.remaining() + " more bytes");
      }
      at += read;
    }
  }

  private static byte[] deflate(byte[] bytes) {
    if (bytes.length < 64) {
      return bytes;
    }
    Deflater deflater = new Deflater(bytes.length > 1 << 20 ? 3 : 9);
    try {
      deflater.setInput(bytes);
      deflater.finish();
      byte[] target = new byte[bytes.length];
      int length = 0;
      while (!deflater.finished()) {
        if (length == target.length) {
          return bytes;
        }
        length += deflater.deflate(target, length, target.length - length);
      }
      return length < bytes.length ? Arrays.copyOf(target, length) : bytes;
    } finally {
      deflater.end();
    }
  }

  private static byte[] inflate(Path file, long offset, byte[] stored, int bytes)
      throws CorruptBlockException {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(stored);
      byte[] target = new byte[bytes];
      int length = 0;
      while (length < bytes) {
        int more = inflater.inflate(target, length, bytes - length);
        if (more == 0) {
          break;
        }
        length += more;
      }
      if (length != bytes) {
        throw new CorruptBlockException(file, offset, length + " bytes", bytes + " bytes");
      }
      return target;
    } catch (DataFormatException e) {
      throw new CorruptBlockException(file, offset, String.valueOf(e.getMessage()), "zlib data");
    } finally {
      inflater.end();
    }
  }

  static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }
}
