package org.kblake.cli.process;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.kblake.cli.error.ClosedPipeException;

/**
 * Standard output as commands write data to it: unlike {@link System#out} it reports errors, and a
 * pipe that was closed at its other end as {@link ClosedPipeException}. Not buffered.
 */
final class StandardOutput extends FilterOutputStream {

  private static final Path DESCRIPTOR = Path.of("/proc/self/fd/1");

  StandardOutput(OutputStream out) {
    super(out);
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
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** Leaves the descriptor open: the process ends soon, and its number must not be used again. */
  @Override
  public void close() throws IOException {
    flush();
  }

  private static boolean isClosedPipe(IOException error) {
    String message = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
    return message.contains("broken pipe") || isPipe();
  }

  /** The message comes in the user's language; that a full disk is no pipe is the same in all. */
  private static boolean isPipe() {
    try {
      String target = Files.readSymbolicLink(DESCRIPTOR).toString();
      return target.startsWith("pipe:") || target.startsWith("socket:");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
