package org.kblake.query.internal.remote;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of an Arrow IPC stream, with their metadata. Arrow's own reader needs a schema of a
 * class that sets up Jackson, and does not return metadata of batches.
 *
 * <pre>
 *   message   FFFFFFFF | length (4 bytes, little-endian) | header (flatbuffer) | body
 *   end       FFFFFFFF | 0
 * </pre>
 */
final class MessageStream implements Closeable {

  private static final int CONTINUATION = -1;
  private static final int MAX_HEADER_BYTES = 1 << 28;
  private static final long MAX_BODY_BYTES = 1L << 31;
  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream in;
  private final BufferAllocator allocator;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private Map<String, String> metadata = Map.of();

  /**
   * @param in closed with this stream
   */
  MessageStream(InputStream in, BufferAllocator allocator) {
    this.in = in;
    this.allocator = allocator;
  }

  /** Returns the metadata of the last message. */
  Map<String, String> metadata() {
    return metadata;
  }

  /** Reads the schema, of which only the metadata are of interest. */
  void readSchema() throws IOException {
    Message message = header();
    if (message == null || message.headerType() != MessageHeader.Schema) {
      throw new RemoteException("its answer is no Arrow stream: it begins without a schema");
    }
    try {
      Schema schema = (Schema) message.header(new Schema());
      Map<String, String> all = new HashMap<>();
      for (int i = 0; i < schema.customMetadataLength(); i++) {
        put(schema.customMetadata(i), all);
      }
      metadata = all;
    } catch (RuntimeException e) {
      throw wrong(e);
    }
  }

  /**
   * Reads the next batch of rows, past dictionaries.
   *
   * @return the caller closes it; null at the end
   */
  @Nullable ArrowRecordBatch next() throws IOException {
    while (true) {
      Message message = header();
      if (message == null) {
        return null;
      }
      try {
        Map<String, String> all = new HashMap<>();
        for (int i = 0; i < message.customMetadataLength(); i++) {
          put(message.customMetadata(i), all);
        }
        metadata = all;
        long length = message.bodyLength();
        if (length < 0 || length > MAX_BODY_BYTES) {
          throw new RemoteException("its answer has a message of " + length + " bytes");
        }
        ArrowBuf body = body(length);
        if (message.headerType() == MessageHeader.RecordBatch) {
          return MessageSerializer.deserializeRecordBatch(message, body);
        }
        body.close();
      } catch (RuntimeException e) {
        throw wrong(e);
      }
    }
  }

  private static void put(KeyValue entry, Map<String, String> all) {
    String key = entry.key();
    String value = entry.value();
    if (key != null && value != null) {
      all.put(key, value);
    }
  }

  private static RemoteException wrong(RuntimeException e) {
    return new RemoteException("its answer is no Arrow stream: " + e, e);
  }

  /** Reads the header of a message; null at the end. */
  private @Nullable Message header() throws IOException {
    if (number() != CONTINUATION) {
      throw new RemoteException("its answer is no Arrow stream");
    }
    int length = number();
    if (length == 0) {
      return null;
    }
    if (length < 0 || length > MAX_HEADER_BYTES) {
      throw new RemoteException("its answer is no Arrow stream: length of a header=" + length);
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the answer ends within a message");
    }
    try {
      return Message.getRootAsMessage(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    } catch (RuntimeException e) {
      throw wrong(e);
    }
  }

  private int number() throws IOException {
    byte[] bytes = in.readNBytes(Integer.BYTES);
    if (bytes.length < Integer.BYTES) {
      throw new EOFException("the answer ends without its end mark");
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }

  private ArrowBuf body(long length) throws IOException {
    ArrowBuf body = allocator.buffer(length);
    try {
      long at = 0;
      while (at < length) {
        int count = in.read(buffer, 0, (int) Math.min(buffer.length, length - at));
        if (count < 0) {
          throw new EOFException("the answer ends within a message");
        }
        body.setBytes(at, buffer, 0, count);
        at += count;
      }
      body.writerIndex(length);
      return body;
    } catch (Throwable e) {
      body.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
