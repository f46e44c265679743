package org.kblake.test.read.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestArchives;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;

/** Stores of format version 1, as they were made. All versions of kblake must read them. */
final class FirstFormatStoreTest {

  @TempDir Path directory;

  private Path root = Path.of("");
  private Path store = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"tiny-le", "tiny-be", "mixed"})
  void storeIsReadVerifiedAndListed(String sample) throws Exception {
    open(sample);
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    try (ArchiveReader raw = ArchiveReader.builder().archive(root).open();
        ArchiveReader stored = ArchiveReader.builder().archive(root).store(store).open()) {
      for (Group group : archive.groups()) {
        EventQuery all = EventQuery.of(ChannelSelection.all(group)).withStrays().allowIncomplete();
        AnswerLines.Lines expected = AnswerLines.read(raw, all);
        AnswerLines.Lines answer = AnswerLines.read(stored, all.from(Source.STORE));
        assertThat(answer.events()).isNotEmpty().isEqualTo(expected.events());
      }
    }
    assertThat(TestStores.verify(archive, store)).isEmpty();
    try (Store opened = Store.open(store, null)) {
      for (Group group : archive.groups()) {
        for (Block block : opened.blocks(group, problem -> {})) {
          assertThat(block.chunks().files()).isNotEmpty();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tiny-le", "tiny-be"})
  void storeOfMovedArchiveIsRefusedWithAdvice(String sample) throws Exception {
    open(sample);
    writeArchiveLine(Path.of("/kekblog"));
    assertThatThrownBy(() -> ArchiveReader.builder().archive(root).store(store).open())
        .isInstanceOf(StoreException.Mismatch.class)
        .hasMessageContaining("correct the line archive");
  }

  private void open(String sample) throws IOException {
    root = TestStores.sample(sample, directory.resolve("archive"));
    store = directory.resolve("store");
    Path kept = TestArchives.resource("stores/v1/" + sample);
    try (Stream<Path> files = Files.walk(kept)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Path target = store.resolve(kept.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
    writeArchiveLine(root);
  }

  /**
   * Replaces the absolute path by which a store names its archive. A user does the same after
   * moving the archive.
   */
  private void writeArchiveLine(Path archive) throws IOException {
    Path properties = store.resolve("kblake-store.properties");
    String text = Files.readString(properties);
    Files.writeString(properties, text.replaceFirst("(?m)^archive=.*$", "archive=" + archive));
  }
}
