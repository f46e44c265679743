package org.kblake.core.internal.mirror;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogCopy;

/** The copy of a pair in a mirror, as described by its account at one moment. */
final class PairCopy implements LogCopy {

  /** The index may be replaced between the read of the account and the read of the index. */
  private static final int ATTEMPTS = 3;

  private final CopyFiles files;
  private final CopyAccount account;
  private final ByteBuffer index;

  private PairCopy(CopyFiles files, CopyAccount account, ByteBuffer index) {
    this.files = files;
    this.account = account;
    this.index = index;
  }

  /**
   * Opens the copy in a pair's directory. Returns null if it is missing or not valid.
   *
   * @throws IOException if it cannot be read
   */
  static @Nullable PairCopy open(CopyFiles files) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      CopyAccount account = CopyAccount.read(files.account());
      if (account == null) {
        return null;
      }
      ByteBuffer index = index(files.index(account.indexChecksum()), account);
      if (index != null) {
        return new PairCopy(files, account, index);
      }
    }
    return null;
  }

  private static @Nullable ByteBuffer index(Path file, CopyAccount account) throws IOException {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
      return bytes.limit() == account.indexBytes()
              && CopyAccount.checksum(bytes) == account.indexChecksum()
          ? bytes
          : null;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  CopyAccount account() {
    return account;
  }

  @Override
  public ByteBuffer index() {
    return index.duplicate();
  }

  @Override
  public FileTime indexModified() {
    return account.indexModified();
  }

  @Override
  public FileTime logModified() {
    return account.logModified();
  }

  @Override
  public String key() {
    return account.key();
  }

  @Override
  public boolean closed() {
    return account.closed();
  }

  @Override
  public long endOffset() {
    return account.verified().toOffset();
  }

  @Override
  public long fromOffset() {
    return account.verified().fromOffset();
  }

  @Override
  public Reader open() {
    return new CopyReader(files, account);
  }
}
