package org.kblake.test.read.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.internal.store.rollup.Rollups;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.internal.rollup.RollupReading;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.query.question.TrendQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;
import org.kblake.test.oracle.TrendBins;

/**
 * Stores of format version 1, as they were made, without and with rollups. All versions of kblake
 * must read them.
 */
final class FirstFormatStoreTest {

  private static final Aggregate[] EXACT = {
    Aggregate.COUNT,
    Aggregate.NAN,
    Aggregate.SEVERITY,
    Aggregate.FIRST,
    Aggregate.FIRST_TIME,
    Aggregate.LAST,
    Aggregate.LAST_TIME,
    Aggregate.MIN,
    Aggregate.MIN_TIME,
    Aggregate.MAX,
    Aggregate.MAX_TIME
  };

  @TempDir Path directory;

  private Path root = Path.of("");
  private Path store = Path.of("");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v1/tiny-le",
        "v1/tiny-be",
        "v1/mixed",
        "v2/tiny-le",
        "v1-rollups/tiny-le",
        "v1-rollups/tiny-be",
        "v1-rollups/mixed"
      })
  void storeIsReadVerifiedAndListed(String kept) throws Exception {
    open(kept);
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    try (ArchiveReader raw = ArchiveReader.builder().archive(root).open();
        ArchiveReader stored = ArchiveReader.builder().archive(root).store(store).open()) {
      for (Group group : groups()) {
        EventQuery all = EventQuery.of(ChannelSelection.all(group)).withStrays().allowIncomplete();
        AnswerLines.Lines expected = AnswerLines.read(raw, all);
        AnswerLines.Lines answer = AnswerLines.read(stored, all.from(Source.STORE));
        assertThat(answer.events()).isNotEmpty().isEqualTo(expected.events());
      }
    }
    assertThat(TestStores.verify(archive, store)).isEmpty();
    try (Store opened = Store.open(store, null)) {
      for (Group group : opened.groups()) {
        for (Block block : opened.blocks(group, problem -> {})) {
          assertThat(block.chunks().files()).isNotEmpty();
        }
      }
    }
  }

  private List<Group> groups() throws IOException {
    try (Store opened = Store.open(store, null)) {
      return opened.groups();
    }
  }

  /** Rollups of the first version of their file answer trends of 5 minutes and of 1 hour. */
  @ParameterizedTest
  @CsvSource({"tiny-le, 2022-03-15", "tiny-be, 2022-03-15", "mixed, 2016-05-16"})
  void rollupsAnswerTrends(String sample, LocalDate day) throws Exception {
    open("v1-rollups/" + sample);
    Instant noon = day.atTime(12, 0).toInstant(ZoneOffset.UTC);
    Instant from = noon.minus(Duration.ofDays(1));
    Instant to = noon.plus(Duration.ofDays(1));
    RollupReading.always();
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).store(store).open()) {
      for (Group group : groups()) {
        ChannelSelection numbers = ChannelSelection.of(List.of()).in(group);
        for (ChannelInfo info :
            reader.channels(ChannelSelection.all(group), EpochNanos.range(from, to))) {
          numbers =
              Rollups.isOf(info.type(), info.waveform())
                  ? numbers.and(ChannelPattern.name(info.channel().name()))
                  : numbers;
        }
        for (Duration step : List.of(Duration.ofMinutes(5), Duration.ofHours(1))) {
          TrendQuery query = TrendQuery.of(numbers, from, to, step, EXACT);
          TrendBins.Answer raw = TrendBins.read(reader, query.from(Source.RAW));
          TrendBins.Answer stored = TrendBins.read(reader, query.from(Source.STORE));
          assertThat(lines(stored)).isEqualTo(lines(raw));
          assertThat(stored.rollupRows()).as("%s, %s", group, step).isPositive();
        }
      }
    } finally {
      RollupReading.reset();
    }
  }

  private static List<String> lines(TrendBins.Answer answer) {
    return answer.bins().stream().map(bin -> bin.place() + bin.exact()).toList();
  }

  /** A link to an archive is the archive. The pairs of a moved one show whose it is. */
  @ParameterizedTest
  @ValueSource(strings = {"tiny-le", "mixed"})
  void storeKnowsItsArchiveUnderAnotherPath(String sample) throws Exception {
    open("v1/" + sample);
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
    open("v1/" + sample);
    Path otherRoot = TestStores.sample(other, directory.resolve("other"));
    assertThatThrownBy(() -> ArchiveReader.builder().archive(otherRoot).store(store).open())
        .isInstanceOf(StoreException.Mismatch.class)
        .hasMessageContaining("correct the line archive");
  }

  /**
   * @param name the directory of the format, and the sample archive
   */
  private void open(String name) throws IOException {
    root = TestStores.sample(name.substring(name.indexOf('/') + 1), directory.resolve("archive"));
    store = TestStores.kept(name, root, directory.resolve("store"));
  }

  private void writeArchiveLine(Path archive) throws IOException {
    TestStores.writeArchiveLine(store, archive);
  }
}
