package org.kblake.cli.format.arrow;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.kblake.cli.format.AnswerWriter;

/** Writes batches as Arrow IPC. Buffers are written as they are, uncompressed. */
public final class ArrowIpcWriter implements AnswerWriter {

  private final AnswerChannel channel;
  private final ArrowWriter writer;

  /**
   * @param out the output; vectors are written without a copy if it is a channel
   * @param file whether to write an IPC file, which has an index at its end; else an IPC stream
   */
  public ArrowIpcWriter(
      OutputStream out, boolean file, VectorSchemaRoot root, DictionaryProvider dictionaries)
      throws IOException {
    channel =
        new AnswerChannel(
            out instanceof WritableByteChannel direct ? direct : Channels.newChannel(out));
    writer =
        file
            ? new ArrowFileWriter(root, dictionaries, channel)
            : new ArrowStreamWriter(root, dictionaries, channel);
    writer.start();
  }

  @Override
  public void write() throws IOException {
    writer.writeBatch();
  }

  @Override
  public void finish() throws IOException {
    writer.end();
  }

  @Override
  public void close() {
    channel.open = false;
    writer.close();
  }

  /**
   * A channel that discards bytes after the writer is closed. Arrow's writer ends its output on
   * close, and an incomplete answer must not look complete. The stream below stays open.
   */
  private static final class AnswerChannel implements WritableByteChannel {

    private final WritableByteChannel out;
    private boolean open = true;

    AnswerChannel(WritableByteChannel out) {
      this.out = out;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      if (open) {
        return out.write(source);
      }
      int length = source.remaining();
      source.position(source.limit());
      return length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
