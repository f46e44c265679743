package org.kblake.cli.kblogrd.format;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.kblake.format.text.TextBuffer;

/**
 * Several texts that grow in parallel and are written one after the other. They are in memory while
 * they are small, and then in pieces in a temporary file. The file is deleted when the process
 * ends.
 */
final class SpilledTexts implements Closeable {

  private static final long MAX_BYTES = 16L << 20;

  private final Part[] parts;
  private long bytesInMemory;
  private long bytesInFile;
  private @Nullable FileChannel file;

  /** One text: its pieces in the file, and the rest in memory. */
  private static final class Part {
    private TextBuffer memory = TextBuffer.inMemory();
    private long[] offsets = {};
    private int[] lengths = {};
    private int pieces;
    private boolean begun;
  }

  SpilledTexts(int count) {
    parts = new Part[count];
    for (int i = 0; i < count; i++) {
      parts[i] = new Part();
    }
  }

  /** Appends an item to a text. A comma and a line break separate two items. */
  void append(int number, byte[] bytes, int length) throws IOException {
    Part part = parts[number];
    if (part.begun) {
      part.memory.put((byte) ',');
      part.memory.put((byte) '\n');
      bytesInMemory += 2;
    }
    part.begun = true;
    part.memory.put(bytes, 0, length);
    bytesInMemory += length;
    if (bytesInMemory > MAX_BYTES) {
      spill();
    }
  }

  private void spill() throws IOException {
    FileChannel channel = file;
    if (channel == null) {
      Path path = Files.createTempFile("kblogrd", ".sad");
      channel =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      file = channel;
    }
    for (Part part : parts) {
      int length = part.memory.position;
      if (length > 0) {
        if (part.pieces == part.offsets.length) {
          part.offsets = Arrays.copyOf(part.offsets, part.pieces * 2 + 4);
          part.lengths = Arrays.copyOf(part.lengths, part.pieces * 2 + 4);
        }
        part.offsets[part.pieces] = bytesInFile;
        part.lengths[part.pieces++] = length;
        ByteBuffer rest = ByteBuffer.wrap(part.memory.bytes, 0, length);
        while (rest.hasRemaining()) {
          bytesInFile += channel.write(rest, bytesInFile);
        }
        part.memory = TextBuffer.inMemory();
      }
    }
    bytesInMemory = 0;
  }

  /** Writes a text, without a line feed at its end. */
  void write(int number, LineOutput out) throws IOException {
    Part part = parts[number];
    FileChannel channel = file;
    if (channel != null) {
      for (int i = 0; i < part.pieces; i++) {
        ByteBuffer piece = ByteBuffer.allocate(part.lengths[i]);
        while (piece.hasRemaining()) {
          if (channel.read(piece, part.offsets[i] + piece.position()) < 0) {
            throw new IOException("temporary file was cut short");
          }
        }
        writeLines(piece.array(), part.lengths[i], out);
      }
    }
    writeLines(part.memory.bytes, part.memory.position, out);
    part.memory = TextBuffer.inMemory();
  }

  private static void writeLines(byte[] bytes, int length, LineOutput out) throws IOException {
    int from = 0;
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        out.text().put(bytes, from, i);
        out.endLine();
        from = i + 1;
      }
    }
    out.text().put(bytes, from, length);
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
