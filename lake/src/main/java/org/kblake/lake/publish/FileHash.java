package org.kblake.lake.publish;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.LongConsumer;

/** The SHA-256 of files. */
public final class FileHash {

  private static final int BUFFER_BYTES = 1 << 18;

  private FileHash() {}

  /**
   * Copies a stream, and returns the SHA-256 of its bytes in hexadecimal digits.
   *
   * @param progress gets the number of bytes of each step
   */
  public static String copy(InputStream in, OutputStream out, LongConsumer progress)
      throws IOException, InterruptedException {
    MessageDigest digest = digest();
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      digest.update(buffer, 0, read);
      out.write(buffer, 0, read);
      progress.accept(read);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Returns the SHA-256 of a stream in hexadecimal digits. */
  public static String of(InputStream in, LongConsumer progress)
      throws IOException, InterruptedException {
    return copy(in, OutputStream.nullOutputStream(), progress);
  }

  /** Returns a new SHA-256. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
