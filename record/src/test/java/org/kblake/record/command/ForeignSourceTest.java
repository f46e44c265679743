package org.kblake.record.command;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.kblake.cli.error.RequestException;
import org.kblake.record.importing.ImportSource;
import org.kblake.record.importing.SourceChannel;
import org.kblake.record.importing.SourceEvent;

final class ForeignSourceTest {

  private record Failing(IOException error) implements ImportSource {

    @Override
    public List<SourceChannel> channels() {
      return List.of();
    }

    @Override
    public @Nullable SourceEvent next() throws IOException {
      throw error;
    }

    @Override
    public long work() {
      return 0;
    }

    @Override
    public void close() throws IOException {
      throw error;
    }
  }

  /** A fault of the other archive is no fault of the disk that is written. */
  @Test
  void aFaultOfTheSourceNamesTheSource() {
    ForeignSource source = new ForeignSource(new Failing(new IOException("Input/output error")));
    assertThatThrownBy(source::next)
        .isInstanceOf(RequestException.class)
        .hasMessage(
            "source cannot be read: Input/output error; whole pairs are kept: the same command"
                + " continues");
    assertThatThrownBy(source::close).hasMessageContaining("source cannot be read");
    assertThatThrownBy(
            () ->
                ForeignSource.read(
                    () -> {
                      throw new IOException("x");
                    }))
        .hasMessageContaining("source cannot be read: x");
  }

  @Test
  void anInterruptStaysOne() {
    InterruptedIOException interrupt = new InterruptedIOException();
    ForeignSource source = new ForeignSource(new Failing(interrupt));
    assertThatThrownBy(source::next).isSameAs(interrupt);
  }
}
