package org.kblake.lake.table;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.Syncable;

/**
 * The bytes of Hadoop's local files. Hadoop reports a failed read or write of them as an error of
 * the JVM, which nobody expects. Here it is an {@link IOException}.
 */
final class LocalStreams {

  private LocalStreams() {}

  private static IOException expected(FSError error) {
    return error.getCause() instanceof IOException cause ? cause : new IOException(error);
  }

  /** A file being written. */
  static final class Output extends FilterOutputStream implements Syncable {

    Output(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (FSError e) {
        throw expected(e);
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        out.flush();
      } catch (FSError e) {
        throw expected(e);
      }
    }

    @Override
    public void hflush() throws IOException {
      flush();
    }

    @Override
    public void hsync() throws IOException {
      flush();
      if (out instanceof Syncable forced) {
        forced.hsync();
      }
    }
  }

  /** A file being read. */
  static final class Input extends FSInputStream {

    private final FSDataInputStream in;

    Input(FSDataInputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      try {
        return in.read();
      } catch (FSError e) {
        throw expected(e);
      }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        return in.read(bytes, offset, length);
      } catch (FSError e) {
        throw expected(e);
      }
    }

    @Override
    public void seek(long offset) throws IOException {
      in.seek(offset);
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long offset) throws IOException {
      return in.seekToNewSource(offset);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
