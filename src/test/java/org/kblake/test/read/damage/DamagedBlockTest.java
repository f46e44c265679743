package org.kblake.test.read.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;

/**
 * A block has any byte changed, is cut anywhere, or misses any of its files. The answer is that of
 * the raw log. The store alone reports missing events. verify finds the damage.
 */
final class DamagedBlockTest {

  /**
   * The number of random bytes that are tried in each file. With all of them the test would take
   * minutes.
   */
  private static final int BYTES = 40;

  @TempDir private Path directory;

  private Path archive = Path.of("");
  private Path store = Path.of("");
  private EventQuery query = EventQuery.of(ChannelSelection.names("-"));
  private List<String> raw = List.of();

  @BeforeEach
  void backfill() throws Exception {
    archive = TestStores.sample("tiny-le", directory.resolve("archive"));
    store = directory.resolve("store");
    TestStores.backfill(opened(), store);
    query =
        EventQuery.of(ChannelSelection.all(Group.parse("BM/DCCT")))
            .withStrays()
            .allowIncomplete()
            .batches(16, 1 << 16);
    try (ArchiveReader reader = ArchiveReader.builder().archive(archive).open()) {
      raw = AnswerLines.read(reader, query).events();
    }
    assertThat(raw).hasSize(15);
  }

  private Archive opened() throws IOException {
    return Archive.open(archive, ArchiveSettings.defaults());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(CommandFixture.block(store))) {
      return files.sorted().toList();
    }
  }

  @Test
  void flippedBitsLoseNoEvents() throws Exception {
    long seed = Seeds.one("damaged blocks");
    Random random = new Random(seed);
    for (Path file : files()) {
      byte[] bytes = Files.readAllBytes(file);
      for (int i = 0; i < BYTES; i++) {
        int at = random.nextInt(bytes.length);
        int bit = random.nextInt(8);
        byte[] flipped = bytes.clone();
        flipped[at] ^= (byte) (1 << bit);
        Files.write(file, flipped);
        check(file.getFileName() + ": byte " + at + ", bit " + bit + ", seed " + seed);
      }
      Files.write(file, bytes);
    }
  }

  @Test
  void cutFilesLoseNoEvents() throws Exception {
    for (Path file : files()) {
      byte[] bytes = Files.readAllBytes(file);
      int step = Math.max(1, bytes.length / 6);
      for (int length = 0; length < bytes.length; length += step) {
        Files.write(file, Arrays.copyOf(bytes, length));
        check(file.getFileName() + " cut to " + length);
      }
      Files.write(file, bytes);
    }
  }

  @Test
  void missingFilesLoseNoEvents() throws Exception {
    for (Path file : files()) {
      byte[] bytes = Files.readAllBytes(file);
      Files.delete(file);
      check(file.getFileName() + " missing");
      Files.write(file, bytes);
    }
    for (Path file : files()) {
      Files.delete(file);
    }
    check("all files missing");
  }

  private void check(String damage) throws Exception {
    try (ArchiveReader reader = ArchiveReader.builder().archive(archive).store(store).open()) {
      assertThat(AnswerLines.read(reader, query).events()).as(damage).isEqualTo(raw);
      assertStoreAloneIsCompleteOrReportsIt(reader, damage);
    }
    // Some bits of a zlib stream have no effect.
    if (!damage.startsWith("patch.kb: byte")) {
      assertThat(TestStores.verify(opened(), store)).as("verify: " + damage).isNotEmpty();
    }
  }

  private void assertStoreAloneIsCompleteOrReportsIt(ArchiveReader reader, String damage)
      throws IOException {
    List<String> events = new ArrayList<>();
    try {
      AnswerLines.Lines answer = AnswerLines.read(reader, query.from(Source.STORE));
      events.addAll(answer.events());
      if (!answer.coverage().isComplete()) {
        return;
      }
    } catch (UnknownChannelException | CorruptBlockException e) {
      return;
    }
    if (!events.equals(raw)) {
      fail("missing events are not reported: " + damage);
    }
  }
}
