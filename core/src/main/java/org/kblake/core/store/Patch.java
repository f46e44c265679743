package org.kblake.core.store;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
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

/**
 * What a block's log bytes have that its columns do not say, in log order: the file {@code
 * patch.kb}, deflated (RFC 1950), big-endian.
 *
 * <pre>
 *   piece: kind u8 | stretch u32 | offset u64 | length u32 | bytes
 *   end:   255 u8
 * </pre>
 *
 * An <em>overlay</em> replaces bytes that were written from the columns. An <em>insert</em> stands
 * where no event is: damage, a cut end, zeros.
 *
 * @param overlay whether the piece replaces bytes rather than adding them
 * @param stretch index into {@link BlockFacts#stretches()}
 * @param offset where its first byte is in the pair's log
 * @param bytes at most {@link #LARGEST_PIECE_BYTES}
 */
public record Patch(boolean overlay, int stretch, long offset, byte[] bytes) {

  static final String FILE_NAME = "patch.kb";

  /** Longer differences are cut into pieces. */
  public static final int LARGEST_PIECE_BYTES = 16 << 20;

  private static final int OVERLAY = 0;
  private static final int INSERT = 1;
  private static final int END = 255;

  /** Writes a patch, piece after piece. */
  public static final class Writer implements Closeable {
    private final StoreFiles.Output output;
    private final Deflater deflater = new Deflater(6);
    private final DataOutputStream out;

    Writer(StoreFiles.Output output) {
      this.output = output;
      this.out =
          new DataOutputStream(
              new DeflaterOutputStream(
                  new BufferedOutputStream(new ToChannel(output), 1 << 16), deflater, 1 << 13));
    }

    /**
     * Adds a difference of any length.
     *
     * @param bytes from position to limit; the position is moved
     */
    public void add(boolean overlay, int stretch, long offset, ByteBuffer bytes)
        throws IOException {
      long at = offset;
      while (bytes.hasRemaining()) {
        byte[] piece = new byte[Math.min(bytes.remaining(), LARGEST_PIECE_BYTES)];
        bytes.get(piece);
        out.writeByte(overlay ? OVERLAY : INSERT);
        out.writeInt(stretch);
        out.writeLong(at);
        out.writeInt(piece.length);
        out.write(piece);
        at += piece.length;
      }
    }

    /** Writes the end mark and forces the file. */
    void finish() throws IOException {
      out.writeByte(END);
      out.flush();
      out.close();
      output.force();
    }

    @Override
    public void close() throws IOException {
      deflater.end();
      output.close();
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

  /** Reads a patch in order, a piece at a time. */
  public static final class Reader implements Closeable {
    private final Path file;
    private final DataInputStream in;
    private @Nullable Patch next;

    Reader(Path block) throws IOException {
      this.file = block.resolve(FILE_NAME);
      try {
        this.in =
            new DataInputStream(
                new BufferedInputStream(
                    new InflaterInputStream(Files.newInputStream(file)), 1 << 16));
      } catch (NoSuchFileException e) {
        throw new CorruptBlockException(file, 0, "no file", "a patch");
      }
      advance();
    }

    /** The piece at hand, null behind the last. */
    public @Nullable Patch peek() {
      return next;
    }

    /** Goes to the next piece. */
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
        int stretch = in.readInt();
        long offset = in.readLong();
        int length = in.readInt();
        if (kind > INSERT || length < 1 || length > LARGEST_PIECE_BYTES) {
          throw new CorruptBlockException(
              file, 0, "piece of kind " + kind + " and " + length + " bytes", "a known piece");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        next = new Patch(kind == OVERLAY, stretch, offset, bytes);
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
