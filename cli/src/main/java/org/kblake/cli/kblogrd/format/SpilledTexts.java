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
 * they are small, and then in a temporary file. The file is deleted when the process ends.
 */
final class SpilledTexts implements Closeable {

  private static final long MAX_BYTES = 16L << 20;

  private final Text[] texts;
  private long bytesInMemory;
  private long bytesInFile;
  private @Nullable FileChannel file;

  /** One text: what is in the file, by writes, and the rest in memory. */
  private static final class Text {
    private TextBuffer memory = TextBuffer.inMemory();
    private long[] offsets = {};
    private int[] lengths = {};
    private int writes;
    private boolean begun;
  }

  SpilledTexts(int count) {
    texts = new Text[count];
    for (int i = 0; i < count; i++) {
      texts[i] = new Text();
    }
  }

  /** Appends an item to a text. A comma and a line break separate two items. */
  void append(int number, byte[] bytes, int length) throws IOException {
    Text text = texts[number];
    if (text.begun) {
      text.memory.put((byte) ',');
      text.memory.put((byte) '\n');
      bytesInMemory += 2;
    }
    text.begun = true;
    text.memory.put(bytes, 0, length);
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
    for (Text text : texts) {
      int length = text.memory.position;
      if (length > 0) {
        if (text.writes == text.offsets.length) {
          text.offsets = Arrays.copyOf(text.offsets, text.writes * 2 + 4);
          text.lengths = Arrays.copyOf(text.lengths, text.writes * 2 + 4);
        }
        text.offsets[text.writes] = bytesInFile;
        text.lengths[text.writes++] = length;
        ByteBuffer rest = ByteBuffer.wrap(text.memory.bytes, 0, length);
        while (rest.hasRemaining()) {
          bytesInFile += channel.write(rest, bytesInFile);
        }
        text.memory = TextBuffer.inMemory();
      }
    }
    bytesInMemory = 0;
  }

  /** Writes a text, without a line feed at its end. */
  void write(int number, LineOutput out) throws IOException {
    Text text = texts[number];
    FileChannel channel = file;
    if (channel != null) {
      for (int i = 0; i < text.writes; i++) {
        ByteBuffer bytes = ByteBuffer.allocate(text.lengths[i]);
        while (bytes.hasRemaining()) {
          if (channel.read(bytes, text.offsets[i] + bytes.position()) < 0) {
            throw new IOException("temporary file was cut short");
          }
        }
        writeLines(bytes.array(), text.lengths[i], out);
      }
    }
    writeLines(text.memory.bytes, text.memory.position, out);
    text.memory = TextBuffer.inMemory();
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
