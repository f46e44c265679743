package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.server.ServedSample;

/** Blocks are made, merged and removed while the server answers from them. */
@Timeout(120)
final class ChangingStoreTest {

  private static final int ROUNDS = 3;
  private static final int CLIENTS = 3;

  private static final String CHANNELS = "channel=VA_CCG:D02_013:CUR&channel=VA_CCG:D11_016:CUR";
  private static final String RANGE = "&from=2016-05-16T00:00&to=2016-05-16T01:00";
  private static final String APPLIANCE =
      "?pv=VA_CCG:D02_013:CUR&from=2016-05-15T15:00:00Z&to=2016-05-15T16:00:00Z";

  /** Their answers do not depend on whether events come from blocks or from logs. */
  private static final List<String> QUESTIONS =
      List.of(
          "/api/v1/data?format=csv&" + CHANNELS + RANGE,
          "/api/v1/data?" + CHANNELS + RANGE,
          "/api/v1/trend?points=100000&" + CHANNELS + RANGE,
          "/api/v1/table?every=10s&" + CHANNELS + RANGE,
          "/api/v1/values?at=2016-05-16T00:40&" + CHANNELS,
          "/retrieval/data/getData.csv" + APPLIANCE,
          "/retrieval/data/getData.raw" + APPLIANCE,
          "/retrieval/data/getData.json"
              + APPLIANCE.replace("VA_CCG:D02_013:CUR", "max_60(VA_CCG:D02_013:CUR)"));

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @SuppressWarnings("NullAway.Init")
  private Archive archive;

  @BeforeEach
  void write() throws Exception {
    fixture = CommandFixture.mixed(directory);
    archive = Archive.open(fixture.archive(), ArchiveSettings.defaults());
    TestStores.backfillInThreeSteps(archive, fixture.store(), new UnforcedFiles());
  }

  /** Asks until the work has ended. */
  private static void askDuring(Callable<Void> work, ServedSample server, Check check)
      throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger answers = new AtomicInteger();
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<Void>> asking = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int first = i;
        asking.add(
            clients.submit(
                () -> {
                  for (int next = first; !ended.get(); next++) {
                    String path = QUESTIONS.get(next % QUESTIONS.size());
                    check.check(path, server.get(path));
                    answers.incrementAndGet();
                  }
                  return null;
                }));
      }
      try {
        awaitAnswers(answers, CLIENTS, asking);
        int before = answers.get();
        work.call();
        awaitAnswers(answers, before + 1, asking);
      } finally {
        ended.set(true);
      }
      for (Future<Void> each : asking) {
        each.get();
      }
      assertThat(answers).hasValueGreaterThan(CLIENTS);
    } finally {
      clients.shutdownNow();
    }
  }

  /** Waits for a number of answers. Ends if a client has failed. */
  private static void awaitAnswers(AtomicInteger answers, int least, List<Future<Void>> asking)
      throws InterruptedException {
    while (answers.get() < least && asking.stream().noneMatch(Future::isDone)) {
      Thread.sleep(1);
    }
  }

  /** Checks an answer. */
  @FunctionalInterface
  private interface Check {
    void check(String path, HttpResponse<String> answer);
  }

  private static Map<String, String> answers(ServedSample server) throws Exception {
    Map<String, String> answers = new LinkedHashMap<>();
    for (String path : QUESTIONS) {
      HttpResponse<String> answer = server.get(path);
      assertThat(answer.statusCode()).as(path).isEqualTo(200);
      assertThat(complete(answer)).as(path).isEqualTo("true");
      answers.put(path, answer.body());
    }
    return answers;
  }

  private static String complete(HttpResponse<String> answer) {
    return answer.headers().firstValue("Kblake-Complete").orElse("");
  }

  private void discard(Store store) throws Exception {
    for (Group group : archive.groups()) {
      for (Block block : store.blocks(group, problem -> {})) {
        assertThat(store.discard(block)).isTrue();
      }
    }
  }

  private void mergeAndDiscard() throws Exception {
    try (Store store = TestStores.storeForWriting(archive, fixture.store())) {
      for (Group group : archive.groups()) {
        TestStores.compact(archive, store, store.blocks(group, problem -> {}));
        store.discardSuperseded(group);
      }
      discard(store);
    }
  }

  /** The logs are there, so each answer is complete, and the same. */
  @Test
  void answersAreCompleteWhileBlocksComeAndGo() throws Exception {
    try (ServedSample server = new ServedSample(fixture.archive(), fixture.store())) {
      Map<String, String> expected = answers(server);
      askDuring(
          () -> {
            for (int round = 0; round < ROUNDS; round++) {
              mergeAndDiscard();
              TestStores.backfillInThreeSteps(archive, fixture.store(), new UnforcedFiles());
            }
            return null;
          },
          server,
          (path, answer) -> {
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(complete(answer)).as(path).isEqualTo("true");
            assertThat(answer.body()).as(path).isEqualTo(expected.get(path));
          });
    }
  }

  /**
   * Nothing but the blocks has the events, so an answer is the whole one, or says what it lacks.
   */
  @Test
  void answersWithoutLogsAreWholeOrIncompleteWhileBlocksGo() throws Exception {
    try (ServedSample server = new ServedSample(fixture.archive(), fixture.store())) {
      Map<String, String> expected = answers(server);
      for (String log : List.of("CCG_20160516000000.log2", "CCG_20160516002717.log2")) {
        Files.delete(fixture.archive().resolve("VA").resolve(log));
      }
      assertThat(answers(server)).isEqualTo(expected);
      AtomicInteger whole = new AtomicInteger();
      askDuring(
          () -> {
            try (Store store = TestStores.storeForWriting(archive, fixture.store())) {
              discard(store);
            }
            return null;
          },
          server,
          (path, answer) -> {
            // Samples that are not there at all are an error that passes.
            boolean isSample = path.startsWith("/retrieval");
            assertThat(answer.statusCode())
                .as(path)
                .isIn(isSample ? List.of(200, 503) : List.of(200));
            if (answer.statusCode() == 200 && complete(answer).equals("true")) {
              assertThat(answer.body()).as(path).isEqualTo(expected.get(path));
              whole.incrementAndGet();
            }
          });
      for (String path : QUESTIONS) {
        HttpResponse<String> after = server.get(path);
        assertThat(after.statusCode() == 503 || complete(after).equals("false")).as(path).isTrue();
        assertThat(after.body())
            .as("no directory of the server")
            .doesNotContain(directory.toString());
        assertThat(after.headers().firstValue("Kblake-Missing").orElse(""))
            .doesNotContain(directory.toString());
      }
    }
  }
}
