package org.kblake.core.internal.store.block;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.store.file.StoreFiles;

/**
 * Bytes of the log that do not follow from the block's columns. The patches are stored in log order
 * in the file {@code patch.kb}, deflated (RFC 1950), big-endian.
 *
 * <pre>
 *   patch: kind u8 | span u32 | offset u64 | length u32 | bytes
 *   end:   255 u8
 * </pre>
 *
 * An <em>overlay</em> replaces bytes that were encoded from the columns. An <em>insert</em>
 * contains bytes that are not events: damage, a cut end, zeros.
 *
 * @param overlay whether the patch replaces bytes rather than adding them
 * @param span index into {@link BlockSummary#spans()}
 * @param offset the offset of its first byte in the pair's log
 * @param bytes the bytes, at most {@link #MAX_BYTES}
 */
public record Patch(boolean overlay, int span, long offset, byte[] bytes) {

  static final String FILE_NAME = "patch.kb";

  /** The largest size of a patch. Longer differences are divided. */
  public static final int MAX_BYTES = 16 << 20;

  private static final int OVERLAY = 0;
  private static final int INSERT = 1;
  private static final int END = 255;

  /** Returns whether the patch begins before a position of the log. */
  private boolean isBefore(int ofSpan, long ofOffset) {
    return span < ofSpan || span == ofSpan && offset < ofOffset;
  }

  /** Writes a file of patches in order. */
  public static final class Writer implements Closeable {
    private final StoreFiles files;
    private final Path file;
    private Output open;

    /** The file, and the streams that deflate into it. */
    private record Output(StoreFiles.Output file, Deflater deflater, DataOutputStream out)
        implements Closeable {

      static Output of(StoreFiles.Output file) {
        Deflater deflater = new Deflater(6);
        return new Output(
            file,
            deflater,
            new DataOutputStream(
                new DeflaterOutputStream(
                    new BufferedOutputStream(new ToChannel(file), 1 << 16), deflater, 1 << 13)));
      }

      void end() throws IOException {
        out.writeByte(END);
        out.flush();
        out.close();
      }

      @Override
      public void close() throws IOException {
        deflater.end();
        file.close();
      }
    }

    Writer(StoreFiles files, Path block) throws IOException {
      this.files = files;
      this.file = block.resolve(FILE_NAME);
      this.open = Output.of(files.create(file));
    }

    /**
     * Adds a difference of any length.
     *
     * @param bytes the bytes from position to limit; the position is moved
     */
    public void add(boolean overlay, int span, long offset, ByteBuffer bytes) throws IOException {
      long at = offset;
      while (bytes.hasRemaining()) {
        byte[] patch = new byte[Math.min(bytes.remaining(), MAX_BYTES)];
        bytes.get(patch);
        open.out.writeByte(overlay ? OVERLAY : INSERT);
        open.out.writeInt(span);
        open.out.writeLong(at);
        open.out.writeInt(patch.length);
        open.out.write(patch);
        at += patch.length;
      }
    }

    /**
     * Removes all patches that begin at a position of the log or behind it. The file is written
     * again. This is rare, and no patches need to be kept in memory for it.
     *
     * @param span the span, as in {@link #add}
     */
    public void removeFrom(int span, long offset) throws IOException {
      Path whole = file.resolveSibling(FILE_NAME + ".whole");
      try (Output written = open) {
        written.end();
      }
      files.rename(file, whole);
      open = Output.of(files.create(file));
      try (Reader patches = Reader.of(whole)) {
        for (Patch patch = patches.peek();
            patch != null && patch.isBefore(span, offset);
            patch = patches.peek()) {
          add(patch.overlay, patch.span, patch.offset, ByteBuffer.wrap(patch.bytes));
          patches.advance();
        }
      }
      files.delete(whole);
    }

    /** Writes the end mark and forces the file. */
    void finish() throws IOException {
      open.end();
      open.file.force();
    }

    @Override
    public void close() throws IOException {
      open.close();
    }
  }

  private static final class ToChannel extends OutputStream {
    private final StoreFiles.Output output;

    ToChannel(StoreFiles.Output output) {
      this.output = output;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      output.write(ByteBuffer.wrap(bytes, from, length));
    }
  }

  /** Reads a file of patches in order, one at a time. */
  public static final class Reader implements Closeable {
    private final Path file;
    private final DataInputStream in;
    private @Nullable Patch next;

    private Reader(Path file, InputStream stored) {
      this.file = file;
      this.in =
          new DataInputStream(new BufferedInputStream(new InflaterInputStream(stored), 1 << 16));
    }

    /** Opens a file at its first patch. */
    static Reader of(Path file) throws IOException {
      Reader reader;
      try {
        reader = new Reader(file, Files.newInputStream(file));
      } catch (NoSuchFileException e) {
        throw new CorruptBlockException(file, 0, "no file", "a patch");
      }
      try {
        reader.advance();
        return reader;
      } catch (Throwable e) {
        FirstFailure.close(e, reader);
        throw e;
      }
    }

    /** Returns the current patch, or null behind the last one. */
    public @Nullable Patch peek() {
      return next;
    }

    /** Moves to the next patch. */
    public void advance() throws IOException {
      try {
        int kind = in.readUnsignedByte();
        if (kind == END) {
          next = null;
          if (in.read() >= 0) {
            throw new CorruptBlockException(file, 0, "bytes behind the end", "none");
          }
          return;
        }
        int span = in.readInt();
        long offset = in.readLong();
        int length = in.readInt();
        if (kind > INSERT || length < 1 || length > MAX_BYTES) {
          throw new CorruptBlockException(
              file, 0, "piece of kind " + kind + " and " + length + " bytes", "a known piece");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        next = new Patch(kind == OVERLAY, span, offset, bytes);
      } catch (EOFException | ZipException e) {
        throw new CorruptBlockException(file, 0, String.valueOf(e.getMessage()), "zlib data");
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
