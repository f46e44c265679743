package org.kblake.transfer.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.transfer.message.FilePosition;

/** The bytes of a file that follow what was sent. */
class SourceFileTest {

  @TempDir Path directory;

  @Test
  void bytesThatDoNotFollowWhatWasSentAreRefused() throws Exception {
    Path path = Files.writeString(directory.resolve("log"), "first");
    try (SourceFile file = new SourceFile(path)) {
      assertThat(file.size()).isEqualTo(5);
      file.read(ByteBuffer.allocate(5));
      file.advance(5);
      Files.writeString(path, "other log");
      assertThat(file.size()).isEqualTo(9);
      assertThatThrownBy(() -> file.read(ByteBuffer.allocate(4)))
          .isInstanceOf(ChangedFileException.class);
    }
  }

  @Test
  void aFileThatIsMadeAgainAfterItWasDeletedIsAnother() throws Exception {
    Path path = directory.resolve("log");
    try (SourceFile file = new SourceFile(path)) {
      file.continueAt(new FilePosition(5, 1), true);
      assertThat(file.size()).isEqualTo(5);
      Files.writeString(path, "longer");
      assertThatThrownBy(file::size).isInstanceOf(ChangedFileException.class);
    }
  }

  @Test
  void aFileThatWasDeletedIsClosedWhenAllOfItWasSent() throws Exception {
    Path path = Files.writeString(directory.resolve("log"), "first");
    try (SourceFile file = new SourceFile(path)) {
      assertThat(file.size()).isEqualTo(5);
      FileChannel channel = file.channel();
      Files.delete(path);
      Thread.sleep(1_100);
      assertThat(file.size()).isEqualTo(5);
      assertThat(channel.isOpen()).isTrue();
      file.read(ByteBuffer.allocate(5));
      file.advance(5);
      Thread.sleep(1_100);
      assertThat(file.size()).isEqualTo(5);
      assertThat(channel.isOpen()).isFalse();
    }
  }

  /** A closed channel stands for a bad sector. */
  @Test
  void errorsOfAFileAreThoseOfItsGroupOnly() throws Exception {
    Path path = Files.writeString(directory.resolve("log"), "first");
    try (SourceFile file = new SourceFile(path)) {
      assertThat(file.size()).isEqualTo(5);
      file.channel().close();
      for (ThrowingCallable each :
          List.<ThrowingCallable>of(
              file::size,
              () -> file.read(ByteBuffer.allocate(5)),
              () -> file.continueAt(new FilePosition(2, 1), true))) {
        assertThatThrownBy(each).isInstanceOf(SourceFileException.class);
      }
    }
  }
}
