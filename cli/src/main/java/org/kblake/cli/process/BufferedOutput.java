package org.kblake.cli.process;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;

/**
 * A buffered stream that is a channel, too. The bytes of a large NIO buffer are not copied if the
 * stream below is a channel. Not thread safe.
 */
public final class BufferedOutput extends BufferedOutputStream implements WritableByteChannel {

  private static final int BUFFER_BYTES = 1 << 16;

  /** NIO buffers of fewer bytes are copied. */
  private static final int LARGE_BYTES = BUFFER_BYTES / 2;

  private final WritableByteChannel channel;

  public BufferedOutput(OutputStream out) {
    super(out, BUFFER_BYTES);
    channel = out instanceof WritableByteChannel below ? below : Channels.newChannel(out);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    if (source.remaining() >= LARGE_BYTES) {
      flush();
      return channel.write(source);
    }
    byte[] bytes = new byte[source.remaining()];
    source.get(bytes);
    write(bytes, 0, bytes.length);
    return bytes.length;
  }

  @Override
  public boolean isOpen() {
    return true;
  }
}
