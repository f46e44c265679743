package org.kblake.core.internal.store.block;

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
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.store.file.FileByteSource;
import org.kblake.core.internal.store.file.StoreFiles;

/**
 * A file of a few sections with checksums, big-endian. A reader reads only the sections that it
 * needs.
 *
 * <pre>
 *   magic u64 | sections u32 | entry * sections | crc32c of all before u32 | section bytes ... | tail
 *   entry: offset u64 | stored bytes u32 | bytes u32 | crc32c of the stored bytes u32
 * </pre>
 *
 * A section is identified by its ordinal. It is deflated (RFC 1950) if its stored bytes are fewer
 * than its bytes. The tail is what is behind the last section. It has a format and checksums of its
 * own.
 */
final class Sections {

  private static final int ENTRY_BYTES = 20;
  private static final int LARGEST_SECTION_BYTES = 1 << 30;

  /** The size of the first read, which contains the header and small sections. */
  private static final int START_BYTES = 1 << 11;

  /** The largest ratio of Deflate. A section with a larger ratio is invalid. */
  private static final int LARGEST_INFLATION = 1040;

  private Sections() {}

  private static int headerBytes(int sections) {
    return 8 + 4 + sections * ENTRY_BYTES + 4;
  }

  /** The contents of one section. */
  interface Content {
    void write(DataOutputStream out) throws IOException;
  }

  /** Returns the bytes of one section. */
  static byte[] bytes(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      content.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * A section as it is stored.
   *
   * @param arrays its stored bytes, as consecutive arrays
   * @param bytes its size when it is inflated
   */
  record Stored(List<byte[]> arrays, int bytes) {

    static Stored of(byte[] section) {
      return new Stored(List.of(deflate(section)), section.length);
    }

    int storedBytes() {
      int stored = 0;
      for (byte[] array : arrays) {
        stored += array.length;
      }
      return stored;
    }

    private int checksum() {
      CRC32C crc = new CRC32C();
      arrays.forEach(crc::update);
      return (int) crc.getValue();
    }
  }

  /** Writes a whole file without a tail. */
  static void write(StoreFiles.Output output, long magic, byte[]... sections) throws IOException {
    write(output, magic, Arrays.stream(sections).map(Stored::of).toList(), new byte[0]);
  }

  /** Writes a whole file. */
  static void write(StoreFiles.Output output, long magic, List<Stored> sections, byte[] tail)
      throws IOException {
    ByteBuffer header = ByteBuffer.allocate(headerBytes(sections.size()));
    header.putLong(magic).putInt(sections.size());
    long offset = header.capacity();
    for (Stored section : sections) {
      int stored = section.storedBytes();
      header.putLong(offset).putInt(stored).putInt(section.bytes()).putInt(section.checksum());
      offset += stored;
    }
    header.putInt(crc(header.array(), 0, header.position()));
    output.write(header.flip());
    for (Stored section : sections) {
      for (byte[] array : section.arrays()) {
        output.write(ByteBuffer.wrap(array));
      }
    }
    output.write(ByteBuffer.wrap(tail));
  }

  /**
   * Sections that were read.
   *
   * @param checksum the checksum of the header, which contains the checksums of all sections; files
   *     with equal checksums are equal
   * @param sections the sections in the order in which they were requested
   */
  record Read(int checksum, DataInputStream[] sections) {}

  /**
   * Reads some sections of a file, which is opened once.
   *
   * @param count the number of sections that the file must have
   * @param wanted their ordinals
   * @throws CorruptBlockException if the file is missing, cut short or has a wrong checksum
   */
  static Read read(Path file, long magic, int count, int... wanted) throws IOException {
    try (FileChannel channel = open(file)) {
      long size = channel.size();
      ByteBuffer start = ByteBuffer.allocate((int) Math.min(size, START_BYTES));
      ByteBuffer header = header(channel, file, magic, count, start);
      DataInputStream[] streams = new DataInputStream[wanted.length];
      for (int i = 0; i < wanted.length; i++) {
        streams[i] = section(channel, file, size, header, entryAt(wanted[i]), start);
      }
      return new Read(header.getInt(header.capacity() - 4), streams);
    }
  }

  /**
   * The position of a section, and the tail of the file.
   *
   * @param offset the offset of its first stored byte
   * @param storedBytes the number of stored bytes
   * @param bytes its size when it is inflated
   * @param tail the tail, which may be empty
   */
  record Place(long offset, int storedBytes, int bytes, ByteBuffer tail) {}

  /**
   * Finds a section without reading it, and reads the tail.
   *
   * @param count the number of sections that the file must have
   * @param wanted the section's ordinal
   * @throws CorruptBlockException if the file is missing, cut short or has a wrong checksum
   */
  static Place find(Path file, long magic, int count, int wanted) throws IOException {
    try (FileChannel channel = open(file)) {
      long size = channel.size();
      ByteBuffer start = ByteBuffer.allocate((int) Math.min(size, START_BYTES));
      ByteBuffer header = header(channel, file, magic, count, start);
      long end = 0;
      for (int i = 0; i < count; i++) {
        requireInside(file, size, header, entryAt(i));
        end = Math.max(end, header.getLong(entryAt(i)) + header.getInt(entryAt(i) + 8));
      }
      if (size - end > LARGEST_SECTION_BYTES) {
        throw new CorruptBlockException(file, end, size - end + " bytes", "the end of the file");
      }
      ByteBuffer tail = ByteBuffer.allocate((int) (size - end));
      FileByteSource.readFully(file, channel, tail, end);
      int at = entryAt(wanted);
      return new Place(
          header.getLong(at), header.getInt(at + 8), header.getInt(at + 12), tail.flip());
    }
  }

  /** Reads stored bytes. */
  static byte[] stored(Path file, long offset, int bytes) throws IOException {
    try (FileChannel channel = open(file)) {
      ByteBuffer stored = ByteBuffer.allocate(bytes);
      FileByteSource.readFully(file, channel, stored, offset);
      return stored.array();
    }
  }

  private static FileChannel open(Path file) throws IOException {
    try {
      return FileChannel.open(file, StandardOpenOption.READ);
    } catch (NoSuchFileException e) {
      throw new CorruptBlockException(file, 0, "no file", "a file of the block");
    }
  }

  private static int entryAt(int section) {
    return 12 + section * ENTRY_BYTES;
  }

  /**
   * @param start receives the file's first bytes
   */
  private static ByteBuffer header(
      FileChannel channel, Path file, long magic, int count, ByteBuffer start) throws IOException {
    FileByteSource.readFully(file, channel, start, 0);
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
    byte[] before = new byte[crcAt];
    header.get(0, before);
    if (header.getInt(crcAt) != crc(before, 0, crcAt)) {
      throw new CorruptBlockException(file, crcAt, "another checksum", "that of the header");
    }
    return header;
  }

  private static void requireInside(Path file, long size, ByteBuffer header, int at)
      throws CorruptBlockException {
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
  }

  /**
   * @param start the first bytes of the file, which are in memory already
   */
  private static DataInputStream section(
      FileChannel channel, Path file, long size, ByteBuffer header, int at, ByteBuffer start)
      throws IOException {
    requireInside(file, size, header, at);
    long offset = header.getLong(at);
    int stored = header.getInt(at + 8);
    int bytes = header.getInt(at + 12);
    ByteBuffer content = ByteBuffer.allocate(stored);
    if (offset + stored <= start.capacity()) {
      start.get((int) offset, content.array());
    } else {
      FileByteSource.readFully(file, channel, content, offset);
    }
    if (header.getInt(at + 16) != crc(content.array(), 0, stored)) {
      throw new CorruptBlockException(file, offset, "another checksum", "that of the section");
    }
    byte[] inflated =
        stored == bytes
            ? content.array()
            : inflate(new Inflater(), file, offset, content.array(), 0, stored, bytes);
    return new DataInputStream(new ByteArrayInputStream(inflated));
  }

  /** Returns the compression level of a section, by its size. */
  static int level(long bytes) {
    return bytes > 1 << 20 ? 3 : 9;
  }

  private static byte[] deflate(byte[] bytes) {
    if (bytes.length < 64) {
      return bytes;
    }
    Deflater deflater = new Deflater(level(bytes.length));
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

  /**
   * Inflates bytes.
   *
   * @param inflater the inflater, which is ended
   * @param offset the offset of the bytes in the file
   * @param bytes the required number of inflated bytes
   */
  static byte[] inflate(
      Inflater inflater, Path file, long offset, byte[] stored, int from, int length, int bytes)
      throws CorruptBlockException {
    try {
      inflater.setInput(stored, from, length);
      byte[] target = new byte[bytes];
      int inflated = 0;
      while (inflated < bytes) {
        int more = inflater.inflate(target, inflated, bytes - inflated);
        if (more == 0) {
          break;
        }
        inflated += more;
      }
      if (inflated != bytes) {
        throw new CorruptBlockException(file, offset, inflated + " bytes", bytes + " bytes");
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
