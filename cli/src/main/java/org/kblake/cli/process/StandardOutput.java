package org.kblake.cli.process;

import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.kblake.cli.error.ClosedPipeException;

/**
 * Standard output for data. Unlike {@link System#out} it throws errors. If the reader of a pipe has
 * ended, it throws {@link ClosedPipeException}. Not buffered.
 */
final class StandardOutput extends FilterOutputStream implements WritableByteChannel {

  private static final Path DESCRIPTOR = Path.of("/proc/self/fd/1");

  private final WritableByteChannel channel;

  StandardOutput(FileOutputStream out) {
    super(out);
    channel = out.getChannel();
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      throw isClosedPipe(e) ? new ClosedPipeException(e) : e;
    }
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    try {
      return channel.write(bytes);
    } catch (IOException e) {
      throw isClosedPipe(e) ? new ClosedPipeException(e) : e;
    }
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /**
   * Flushes, and leaves the descriptor open. The process ends soon, and the number of the
   * descriptor must not be reused.
   */
  @Override
  public void close() throws IOException {
    flush();
  }

  private static boolean isClosedPipe(IOException error) {
    String message = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
    return message.contains("broken pipe") || isPipe();
  }

  /**
   * Returns whether standard output is a pipe. The message of a closed pipe depends on the user's
   * language, and the kind of file does not.
   */
  private static boolean isPipe() {
    try {
      String target = Files.readSymbolicLink(DESCRIPTOR).toString();
      return target.startsWith("pipe:") || target.startsWith("socket:");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
