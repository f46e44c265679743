package org.kblake.cli.run.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.kblake.cli.access.ChangedFiles;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.settings.TrustedFile;
import org.kblake.server.settings.AccessTokens;

/** The token that a builder sends to its collectors. Its file is read again after a change. */
public final class BuilderToken {

  private static final int MAX_BYTES = 1 << 10;

  private final Path file;
  private final ChangedFiles changes;
  private volatile String text;

  /**
   * Reads a file.
   *
   * @throws UsageException if it has no token or several, cannot be read, or others could have
   *     written it
   */
  BuilderToken(Path file) {
    this.file = file;
    changes = new ChangedFiles(file);
    text = read(file);
  }

  private static String read(Path file) {
    TrustedFile.check(file);
    try {
      String read =
          Files.size(file) > MAX_BYTES
              ? ""
              : Files.readString(file, StandardCharsets.ISO_8859_1).strip();
      if (AccessTokens.isToken(read)) {
        return read;
      }
    } catch (NoSuchFileException e) {
      throw new UsageException("there is no file " + file, e);
    } catch (IOException e) {
      throw new UsageException("the file cannot be read: " + ErrorLine.of(e), e);
    }
    throw new UsageException(
        "the file must have one token of 16 to 512 letters, digits or . _ ~ + / = -: " + file);
  }

  /**
   * Returns the token, which is read again if the file has changed.
   *
   * @throws UsageException if it cannot be used; {@link #last} stays
   */
  public String now() {
    if (changes.haveChanged(false)) {
      text = read(file);
    }
    return text;
  }

  /** Returns the token as it was last read. */
  public String last() {
    return text;
  }
}
