package org.kblake.core.internal.mirror;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.internal.log.file.LogCopy;

/** The contents of a copy of a pair after kills, damage and changes of the log. */
final class CopyWriterTest {

  private static final FileTime TIME = FileTime.fromMillis(1_463_324_400_000L);
  private static final String KEY = "(dev=1,ino=2)";

  /**
   * The bytes of the log: two files of a copy and some pages, so that ends lie within pages, within
   * files and at their edges.
   */
  private static final int LOG_BYTES = 2 * CopyFiles.FILE_BYTES + 200_000;

  @TempDir private Path directory;
  private CopyFiles files;
  private final byte[] log = new byte[LOG_BYTES];

  @BeforeEach
  void makeLog() {
    files = new CopyFiles(directory.resolve("pair"));
    new Random(7).nextBytes(log);
  }

  private CopyWriter written(int bytes) throws IOException {
    CopyWriter writer = CopyWriter.begin(files, 0);
    writer.put(ByteBuffer.wrap(log, 0, bytes), 0);
    writer.verified(bytes);
    account(writer, "index");
    return writer;
  }

  private static void account(CopyWriter writer, String index) throws IOException {
    writer.account(ByteBuffer.wrap(index.getBytes(StandardCharsets.UTF_8)), TIME, TIME, KEY, false);
  }

  private LogCopy copy() throws IOException {
    LogCopy copy = PairCopy.open(files);
    if (copy == null) {
      throw new AssertionError("no copy");
    }
    return copy;
  }

  private int read(int offset, int bytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(bytes);
    try (LogCopy.Reader reader = copy().open()) {
      int count = reader.read(into, offset);
      assertThat(Arrays.copyOf(into.array(), count))
          .isEqualTo(Arrays.copyOfRange(log, offset, offset + count));
      return count;
    }
  }

  private void damage(String file, long offset) throws IOException {
    try (RandomAccessFile damaged =
        new RandomAccessFile(files.directory().resolve(file).toFile(), "rw")) {
      damaged.seek(offset);
      damaged.write(damaged.read() + 1);
    }
  }

  @Test
  void returnsTheBytesThatWereWrittenInSteps() throws IOException {
    CopyWriter writer = CopyWriter.begin(files, 0);
    Random random = new Random(8);
    int end = 0;
    while (end < LOG_BYTES) {
      int next = Math.min(LOG_BYTES, end + 1 + random.nextInt(150_000));
      writer.put(ByteBuffer.wrap(log, end, next - end), end);
      writer.verified(next);
      account(writer, "index" + next);
      end = next;
      assertThat(copy().endOffset()).isEqualTo(end);
      assertThat(read(0, LOG_BYTES)).isEqualTo(end);
    }
    assertThat(read(LOG_BYTES - 1, 10)).isEqualTo(1);
    assertThat(read(CopyFiles.FILE_BYTES - 3, 10)).isEqualTo(10);
  }

  /**
   * After a kill between the writing of bytes and of the account, the previous account is valid.
   */
  @Test
  void bytesOutsideTheAccountDoNotCount() throws IOException {
    CopyWriter writer = written(100_000);
    writer.put(ByteBuffer.wrap(log, 100_000, 50_000), 100_000);
    writer.verified(150_000);
    assertThat(read(0, LOG_BYTES)).isEqualTo(100_000);
    CopyWriter next = requireNonNull(CopyWriter.resume(files, KEY));
    assertThat(next.toOffset()).isEqualTo(100_000);
  }

  /** A power cut can leave zeros, or a shorter file. */
  @Test
  void aPageThatDiffersFromTheAccountDoesNotCount() throws IOException {
    written(LOG_BYTES);
    damage("log-0", 70_000);
    assertThat(read(0, LOG_BYTES)).isEqualTo(CopiedSpan.PAGE_BYTES);
    assertThat(read(2 * CopiedSpan.PAGE_BYTES, 100)).isEqualTo(100);
    assertThat(CopyWriter.resume(files, KEY)).isNull();
    Files.delete(files.directory().resolve("log-1"));
    assertThat(read(CopyFiles.FILE_BYTES, 100)).isZero();
    assertThat(read(2 * CopyFiles.FILE_BYTES, 100)).isEqualTo(100);
  }

  @Test
  void aDamagedAccountOrIndexIsIgnored() throws IOException {
    written(1000);
    assertThat(PairCopy.open(files)).isNotNull();
    damage("account", 60);
    assertThat(PairCopy.open(files)).isNull();
    written(1000);
    Path index;
    try (var found = Files.list(files.directory())) {
      index =
          found
              .filter(file -> String.valueOf(file.getFileName()).startsWith("index-"))
              .findFirst()
              .orElseThrow();
    }
    damage(String.valueOf(index.getFileName()), 0);
    assertThat(PairCopy.open(files)).isNull();
  }

  /** The CRC of the account is right, so only the range of the length shows the error. */
  @ParameterizedTest
  @ValueSource(
      longs = {Integer.MAX_VALUE, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40, LOG_BYTES << 2})
  void anAccountWithAnImpossibleLengthIsIgnored(long length) throws IOException {
    int keyAt = 8 + 4 + 4 + 4 + 4 + 8 + 8;
    int headAt = keyAt + 4 + KEY.length();
    int verifiedAt = headAt + 8 + 8;
    for (int at : new int[] {keyAt, headAt, headAt + 8, verifiedAt, verifiedAt + 8}) {
      written(1000);
      Path account = files.directory().resolve("account");
      ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(account));
      if (at == keyAt) {
        content.putInt(at, (int) length);
      } else {
        content.putLong(at, length);
      }
      int end = content.limit() - Integer.BYTES;
      content.putInt(end, CopyAccount.checksum(content.duplicate().limit(end)));
      Files.write(account, content.array());
      assertThat(PairCopy.open(files)).as("at %d", at).isNull();
    }
  }

  @Test
  void aCopyIsNotContinuedForAnotherLogOfTheSameName() throws IOException {
    written(1000);
    assertThat(CopyWriter.resume(files, "(dev=1,ino=3)")).isNull();
    assertThat(CopyWriter.resume(files, KEY)).isNotNull();
  }

  @Test
  void keepsTheFirstEventOfRemovedFiles() throws IOException {
    CopyWriter writer = written(LOG_BYTES);
    LogCopy before = copy();
    writer.head(300);
    writer.from(2 * CopyFiles.FILE_BYTES);
    account(writer, "index");
    assertThat(read(0, 1000)).isEqualTo(300);
    assertThat(read(CopyFiles.FILE_BYTES, 1000)).isZero();
    assertThat(read(2 * CopyFiles.FILE_BYTES, LOG_BYTES)).isEqualTo(200_000);
    assertThat(files.directory().resolve("log-1")).doesNotExist();
    // A reader that was opened before reads removed files in the archive.
    try (LogCopy.Reader reader = before.open()) {
      assertThat(reader.read(ByteBuffer.allocate(10), CopyFiles.FILE_BYTES)).isZero();
      assertThat(reader.read(ByteBuffer.allocate(10), 2L * CopyFiles.FILE_BYTES)).isEqualTo(10);
    }
    CopyWriter next = requireNonNull(CopyWriter.resume(files, KEY));
    assertThat(next.fromOffset()).isEqualTo(2L * CopyFiles.FILE_BYTES);
    assertThat(next.hasHead()).isTrue();
  }

  @Test
  void readsOnlyVerifiedBytes() throws IOException {
    CopyWriter writer = written(LOG_BYTES);
    writer.verified(65_000);
    account(writer, "index");
    assertThat(read(0, LOG_BYTES)).isEqualTo(65_000);
    writer.put(ByteBuffer.wrap(log, 65_000, 10_000), 65_000);
    writer.verified(75_000);
    account(writer, "index");
    assertThat(read(0, LOG_BYTES)).isEqualTo(75_000);
  }
}
