package org.kblake.test.appliance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.appliance.ServedFixture.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.IndexCheck;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.NaiveReader;

/**
 * Compares samples of random archives with those of the naive reader: all types, scalars and
 * waveforms, years that change, equal times and disorder, from logs and from columns. A failure
 * names its seed.
 */
final class SamplesAgainstNaiveReaderTest {

  private static final int ARCHIVES = Seeds.cases(3, 6);
  private static final int QUESTIONS = 10;

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withZone(RandomArchive.ZONE).withTail(TailRule.FINAL);

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path directory;
  private final OccurrenceCount seen = new OccurrenceCount();

  @Test
  void samplesAgree() throws Exception {
    Seeds.each("samples of the appliance", ARCHIVES, this::check);
    seen.print("samples of the appliance");
    seen.require("samples", 20L * ARCHIVES);
    seen.require("waveforms", ARCHIVES);
    seen.require("connections", ARCHIVES);
  }

  private void check(long seed) throws Exception {
    Path root = directory.resolve("seed" + seed);
    Path store = directory.resolve("store" + seed);
    RandomArchive.Written written = RandomArchive.write(root, seed);
    TestStores.closePairs(root);
    Archive archive = Archive.open(root, SETTINGS);
    List<String> groups = new ArrayList<>();
    for (Group group : written.groups()) {
      if (!IndexCheck.leadsEverywhere(archive, group)) {
        return;
      }
      groups.add(group.toString());
    }
    NaiveSamples oracle =
        NaiveSamples.of(root, groups, RandomArchive.ZONE, SETTINGS.disorderBoundNanos());
    if (oracle.names().isEmpty()) {
      return;
    }
    try (ServedFixture server = ServedFixture.raw(root)) {
      ask(server, oracle, new Random(seed));
    }
    TestStores.backfill(archive, store);
    try (ServedFixture server = ServedFixture.stored(root, store)) {
      ask(server, oracle, new Random(seed));
    }
  }

  private void ask(ServedFixture server, NaiveSamples oracle, Random random) throws IOException {
    for (int i = 0; i < QUESTIONS; i++) {
      String name = oracle.names().get(random.nextInt(oracle.names().size()));
      List<NaiveReader.Event> events = oracle.events(name);
      if (events.isEmpty()) {
        continue;
      }
      long one = events.get(random.nextInt(events.size())).nanos();
      long other = events.get(random.nextInt(events.size())).nanos() + random.nextInt(3) - 1;
      long from = Math.min(one, other);
      long to = random.nextInt(5) == 0 ? from : Math.max(one, other);
      List<RawDecoder.Decoded> expected = oracle.samples(name, from, to);
      byte[] body = server.body(data("raw", name, from, to));
      List<RawDecoder.Chunk> chunks = RawDecoder.decode(body);
      assertThat(RawDecoder.samples(body))
          .as(name)
          .isEqualTo(inOneType(oracle, name, from, to, chunks, expected));
      requireChunks(name, chunks);
      requireJson(server.body(data("json", name, from, to) + "&nonfinite=string"), expected);
      seen.add("samples", expected.size());
      seen.add(
          "years",
          Math.max(0, chunks.stream().mapToInt(RawDecoder.Chunk::year).distinct().count() - 1));
      seen.add("waveforms", chunks.stream().filter(chunk -> chunk.type() > 6).count());
      seen.add("connections", expected.stream().filter(each -> !each.fields().isEmpty()).count());
    }
  }

  /** Where the type changes, some numbers come as doubles. */
  private static List<RawDecoder.Decoded> inOneType(
      NaiveSamples oracle,
      String name,
      long from,
      long to,
      List<RawDecoder.Chunk> chunks,
      List<RawDecoder.Decoded> expected) {
    List<NaiveReader.Event> events = new ArrayList<>(oracle.values(name, from + 1, to));
    NaiveReader.Event held = oracle.held(name, from);
    if (held != null) {
      events.add(0, held);
    }
    // Several events may have the same time.
    Map<List<Object>, NaiveReader.Event> byTime = new HashMap<>();
    events.forEach(event -> byTime.put(List.of(event.nanos(), event.value()), event));
    Map<Long, Integer> typeOf = new HashMap<>();
    for (RawDecoder.Chunk chunk : chunks) {
      chunk.samples().forEach(sample -> typeOf.put(sample.nanos(), chunk.type() % 7));
    }
    List<RawDecoder.Decoded> converted = new ArrayList<>();
    for (RawDecoder.Decoded sample : expected) {
      NaiveReader.Event event = byTime.get(List.of(sample.nanos(), sample.value()));
      boolean widened = typeOf.getOrDefault(sample.nanos(), -1) == 6;
      converted.add(
          widened && event != null && !event.type().equals("double")
              ? new RawDecoder.Decoded(
                  sample.nanos(),
                  NaiveSamples.doubles(event),
                  sample.severity(),
                  sample.status(),
                  sample.fields())
              : sample);
    }
    return converted;
  }

  private static void requireChunks(String name, List<RawDecoder.Chunk> chunks) {
    for (RawDecoder.Chunk chunk : chunks) {
      assertThat(chunk.name()).isEqualTo(name);
      assertThat(chunk.samples()).isNotEmpty();
      for (RawDecoder.Decoded sample : chunk.samples()) {
        Instant time = Instant.ofEpochSecond(0, sample.nanos());
        assertThat(time.atOffset(ZoneOffset.UTC).getYear()).isEqualTo(chunk.year());
        if (chunk.type() < 7) {
          assertThat(sample.value()).hasSize(1);
          assertThat(chunk.elementCount()).isEqualTo(1);
        }
      }
    }
  }

  private static void requireJson(byte[] body, List<RawDecoder.Decoded> expected)
      throws IOException {
    JsonNode json = JSON.readTree(body);
    if (expected.isEmpty()) {
      assertThat(json).isEmpty();
      return;
    }
    JsonNode data = json.get(0).get("data");
    assertThat(data).hasSize(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      RawDecoder.Decoded sample = expected.get(i);
      JsonNode each = data.get(i);
      assertThat(each.get("secs").longValue() * 1_000_000_000 + each.get("nanos").intValue())
          .isEqualTo(sample.nanos());
      assertThat(each.get("severity").intValue()).isEqualTo(sample.severity());
      assertThat(each.get("status").intValue()).isEqualTo(sample.status());
      if (each.get("val").isArray()) {
        assertThat(each.get("val")).hasSameSizeAs(sample.value());
      }
      if (each.get("val").isTextual() && sample.value().get(0) instanceof String text) {
        assertThat(each.get("val").textValue()).isEqualTo(text);
      }
    }
  }
}
