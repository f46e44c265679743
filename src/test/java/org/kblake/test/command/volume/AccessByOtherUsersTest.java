package org.kblake.test.command.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.OtherUser;
import org.kblake.test.fixture.Shell;
import org.kblake.test.fixture.TestStores;

/**
 * Readers under other user ids than the process that follows the archive, set up as
 * docs/operations.md describes. Their reads are counted and put into columns, whatever files other
 * users create in the directory of access records.
 */
final class AccessByOtherUsersTest {

  private static final int WRITER = 4001;
  private static final int READER = 4002;
  private static final int OTHER_READER = 4003;
  private static final int HOSTILE = 4004;
  private static final List<String> GET =
      List.of("get", "-q", "--from", "20160515", "--to", "20160518", "-g", "VA/CCG", "*");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private static Path classes;
  private static List<Path> classPath = List.of();

  @TempDir private Path directory;
  private final List<Process> processes = new ArrayList<>();

  @BeforeAll
  static void letOthersReadTheClasses() throws IOException {
    OtherUser.assumePossible(classes);
    OtherUser.letIn(classes);
    classPath = OtherUser.readableClassPath(classes);
  }

  @BeforeEach
  void makeArchiveAndStore() throws IOException {
    OtherUser.letIn(directory);
    TestStores.sample("mixed", directory.resolve("archive"));
    Files.writeString(
        directory.resolve("kblake.toml"),
        """
        archive = "archive"
        store = "store"
        [run]
        poll = "50ms"
        status-interval = "200ms"
        mode = "on-read"
        """);
    Files.createDirectory(store());
    Files.setAttribute(store(), "unix:uid", WRITER);
  }

  @AfterEach
  void stopAll() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  private Path store() {
    return directory.resolve("store");
  }

  private static OtherUser user(int id) {
    return new OtherUser(id, classPath);
  }

  private void startWriter() throws Exception {
    processes.add(user(WRITER).start(directory, directory.resolve("err"), "run"));
    await("the status file", () -> Files.exists(store().resolve("kblake-run.json")));
    await("readiness", () -> statusField("ready").asBoolean());
    // Readers leave no record before.
    Path readers = store().resolve("access/readers");
    await("its directory", () -> permissions(readers) == 01777);
  }

  private JsonNode statusField(String field) throws IOException {
    return JSON.readTree(Files.readAllBytes(store().resolve("kblake-run.json"))).path(field);
  }

  private long counter(String name) throws IOException {
    return statusField("counters").path(name).asLong();
  }

  @Test
  void theirReadsAreCountedAndPutIntoColumns() throws Exception {
    startWriter();
    String fromLogs = answer(READER);
    await("the miss", () -> counter("misses") > 0);
    await("blocks of the ranges read", () -> counter("blocks") > 0);
    assertThat(answer(READER)).isEqualTo(fromLogs);
    await("the hit", () -> counter("hits") > 0);
    await("its bytes", () -> counter("columnsReadBytes") > 0);
    assertThat(counter("recordsRefused")).isZero();
    assertThat(statusField("problems")).isEmpty();
  }

  /**
   * Of four users, one creates every obstacle that permissions allow, and another has a restrictive
   * umask.
   */
  @Test
  void noUserCanDisturbTheRecordsOfOthers() throws Exception {
    startWriter();
    Path secret = Files.writeString(directory.resolve("secret"), "");
    Files.setAttribute(secret, "unix:uid", READER);
    String line =
        """
        cd store/access/readers && mv ../taken . ; rm -rf ../taken ../readers
        mkfifo 4003 && { mkdir -p 0/kept || mkdir -p 0/kept; } &&
        ln -s ../../evicted 4001 && ln -s ../../../secret 4002 &&
        truncate -s 1T 4004 && touch 'no user'
        """;
    Shell.Result spoilt = user(HOSTILE).shell(directory, line);
    assertThat(spoilt.status()).as(spoilt.err()).isZero();
    assertThat(answer(OTHER_READER)).isEqualTo(answer(READER));
    await("all refusals", () -> counter("recordsRefused") >= 6);
    // The writer has removed the files that were not valid access records.
    assertThat(permissions(store().resolve("access/readers"))).isEqualTo(01777);
    Shell.Result cautious =
        user(READER).shell(directory, "umask 077; exec " + user(READER).quotedKblake(GET));
    assertThat(cautious.out()).isEqualTo(answer(OTHER_READER));
    await("both", () -> counter("misses") + counter("hits") >= 2);
    assertThat(secret).isEmptyFile();
    assertThat(store().resolve("access/taken")).isDirectory();
    assertThat(statusField("problems")).isEmpty();
    assertThat(Files.readString(directory.resolve("err")).lines())
        .filteredOn(logged -> logged.contains("refused"))
        .singleElement()
        .asString()
        .contains(
            "level=WARN message=\"record of a reader is refused; further ones are only"
                + " counted\"");
  }

  /** The store was made by an older version, and the reader may not write access records. */
  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 3 s of a processor")
  @Test
  void permissionsOfAnOldStoreAreCorrectedAndAReaderWithoutThemIsAnswered() throws Exception {
    Shell.Result backfilled =
        user(WRITER).shell(directory, user(WRITER).quotedKblake(List.of("backfill", "-q")));
    assertThat(backfilled.status()).as(backfilled.err()).isZero();
    Path access = store().resolve("access");
    assertThat(permissions(access.resolve("readers"))).isEqualTo(01777);
    Files.delete(access.resolve("readers"));
    Files.delete(access.resolve("taken"));
    Files.setAttribute(access, "unix:mode", 0700);
    String before = answer(READER);
    startWriter();
    assertThat(answer(READER)).isEqualTo(before);
    await("the hit", () -> counter("hits") == 1);
  }

  @Test
  void storeThatOnlyItsOwnerEntersIsNotReadAndTheLogsAnswer() throws Exception {
    String fromLogs = answer(READER);
    Shell.Result backfilled =
        user(WRITER).shell(directory, user(WRITER).quotedKblake(List.of("backfill", "-q")));
    assertThat(backfilled.status()).as(backfilled.err()).isZero();
    Files.setAttribute(store(), "unix:mode", 0700);
    assertThat(answer(READER)).isEqualTo(fromLogs);
    Shell.Result noted =
        user(READER)
            .shell(
                directory,
                user(READER).quotedKblake(List.of("get", "--last", "1", "-g", "VA/CCG", "*")));
    assertThat(noted.err())
        .startsWith("store cannot be used, raw logs are read: ")
        .contains("permission denied")
        .hasLineCount(1);
  }

  private static int permissions(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode") & 07777;
  }

  private String answer(int user) {
    Shell.Result result = user(user).shell(directory, user(user).quotedKblake(GET));
    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
    return result.out();
  }
}
