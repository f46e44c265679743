package org.kblake.test.read.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  /** A link to an archive is the archive. The pairs of a moved one show whose it is. */
  @ParameterizedTest
  @ValueSource(strings = {"tiny-le", "mixed"})
  void storeKnowsItsArchiveUnderAnotherPath(String sample) throws Exception {
    open(sample);
    Path link = Files.createSymbolicLink(directory.resolve("link"), root);
    for (Path written : List.of(root, link, Path.of("/kekblog"))) {
      writeArchiveLine(written);
      for (Path asked : List.of(root, link)) {
        try (ArchiveReader reader = ArchiveReader.builder().archive(asked).store(store).open()) {
          assertThat(reader.groups()).as("%s as %s", written, asked).isNotEmpty();
        }
      }
      assertThat(Store.open(store, null).identity().archive()).isEqualTo(written.toString());
    }
  }

  @ParameterizedTest
  @CsvSource({"tiny-le, tiny-be", "tiny-be, tiny-le", "tiny-le, mixed", "mixed, tiny-be"})
  void storeOfAnotherArchiveIsRefusedWithAdvice(String sample, String other) throws Exception {
    open(sample);
    Path otherRoot = TestStores.sample(other, directory.resolve("other"));
    assertThatThrownBy(() -> ArchiveReader.builder().archive(otherRoot).store(store).open())
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

  /** Replaces the absolute path by which a store names its archive. */
  private void writeArchiveLine(Path archive) throws IOException {
    Path properties = store.resolve("kblake-store.properties");
    String text = Files.readString(properties);
    Files.writeString(properties, text.replaceFirst("(?m)^archive=.*$", "archive=" + archive));
  }
}
