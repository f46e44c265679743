package org.kblake.cli.access;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.settings.TrustedFile;
import org.kblake.server.settings.AccessTokens;

/** The tokens of a file, which is read again after it has changed. */
public final class TokenFile {

  private final Path path;
  private final ChangedFiles changes;
  private volatile AccessTokens tokens;

  private TokenFile(Path path) {
    this.path = path;
    changes = new ChangedFiles(path);
    tokens = read();
  }

  /**
   * Reads a file.
   *
   * @throws UsageException if it has no token, cannot be read, or others could have written it
   */
  public static TokenFile of(Path path) {
    TokenFile file = new TokenFile(path);
    if (file.tokens.all().isEmpty()) {
      throw new UsageException(
          "the file has no token; write a line of 16 to 512 letters, digits or . _ ~ + / = -: "
              + path);
    }
    return file;
  }

  private AccessTokens read() {
    try {
      TrustedFile.check(path);
      return AccessTokens.read(path);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    } catch (NoSuchFileException e) {
      throw new UsageException("there is no file " + path, e);
    } catch (IOException e) {
      throw new UsageException("the file cannot be read: " + ErrorLine.of(e), e);
    }
  }

  public Path path() {
    return path;
  }

  /** Returns the tokens as they were last read. */
  public AccessTokens tokens() {
    return tokens;
  }

  /**
   * Reads the file again if it has changed. A file without a token is one that admits nobody.
   *
   * @param asked whether to read it in any case
   * @return whether it was read
   * @throws UsageException if it cannot be used; the tokens stay as they are
   */
  public boolean readAgain(boolean asked) {
    if (!changes.haveChanged(asked)) {
      return false;
    }
    tokens = read();
    return true;
  }
}
