package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.RemoteFileSystem.Cache;
import org.kblake.test.RemoteFileSystem.Operations;

/** The file system of the tests does what they rely on. */
@Tag("faults")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RemoteFileSystemTest {

  private static final byte[] CONTENT = new byte[10_000];

  @TempDir Path directory;

  private RemoteFileSystem files;
  private Path backing;
  private Path seen;

  @BeforeEach
  void mount() throws IOException {
    Arrays.fill(CONTENT, (byte) 7);
    backing = Files.createDirectories(directory.resolve("backing/VA")).resolve("file");
    Files.write(backing, CONTENT);
    files =
        RemoteFileSystem.mount(
            directory.resolve("backing"), directory.resolve("seen"), Cache.DIRECT);
    seen = files.root().resolve("VA/file");
  }

  @AfterEach
  void unmount() throws IOException {
    files.close();
    assertThat(directory.resolve("seen")).isEmptyDirectory();
  }

  @Test
  void isReadOnlyAndOfATypeOfItsOwn() throws Exception {
    assertThat(seen).hasBinaryContent(CONTENT);
    assertThat(Files.getFileStore(seen).type()).isEqualTo("fuse.remotefs");
    assertThatThrownBy(() -> Files.write(seen, CONTENT)).isInstanceOf(IOException.class);
  }

  @Test
  void failsWhereItIsToldTo() throws Exception {
    files.fail(Operations.READ, "EIO", 2, 2, "/VA/");
    assertThat(firstByte()).isEqualTo(7);
    assertThatThrownBy(this::firstByte).hasMessageContaining("Input/output error");
    assertThat(firstByte()).isEqualTo(7);
    assertThat(files.count()).isEqualTo(3);
    assertThat(files.heal()).isEqualTo(1);
    files.fail(Operations.ANY, "ESTALE", 1, RemoteFileSystem.EVER, "/VA/");
    assertThatThrownBy(this::firstByte).hasMessageContaining("Stale file handle");
    files.fail(Operations.READ, "EIO", 1, RemoteFileSystem.EVER, "/RF/");
    assertThat(firstByte()).isEqualTo(7);
    assertThat(files.count()).isZero();
  }

  private int firstByte() throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(seen)) {
      ByteBuffer bytes = ByteBuffer.allocate(1);
      channel.read(bytes);
      return bytes.get(0);
    }
  }

  @Test
  void hangsUntilItIsReleased() throws Exception {
    files.hang("/VA");
    CompletableFuture<byte[]> read =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.readAllBytes(seen);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    LiveFixture.await("the read", () -> files.waiting() == 1);
    assertThat(Files.isDirectory(files.root())).isTrue();
    assertThat(read).isNotDone();
    files.release();
    assertThat(read.get()).isEqualTo(CONTENT);
  }

  @Test
  void showsSizesBeforeBytes() throws Exception {
    files.settleAfter(Duration.ofSeconds(2));
    assertThat(Files.size(seen)).isEqualTo(CONTENT.length);
    Files.write(backing, CONTENT, StandardOpenOption.APPEND);
    long zeros = 0;
    long written = System.nanoTime();
    while (System.nanoTime() - written < TimeUnit.SECONDS.toNanos(2)) {
      byte[] shown = Files.readAllBytes(seen);
      assertThat(shown).hasSize(2 * CONTENT.length);
      zeros += shown[2 * CONTENT.length - 1] == 0 ? 1 : 0;
    }
    assertThat(zeros).isPositive();
    LiveFixture.await("all bytes", () -> Files.readAllBytes(seen)[2 * CONTENT.length - 1] == 7);
  }

  @Test
  void takesItsTime() throws Exception {
    files.delayReads(Duration.ofMillis(200));
    files.limitRate(20_000);
    long begin = System.nanoTime();
    assertThat(seen).hasBinaryContent(CONTENT);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(700));
  }
}
