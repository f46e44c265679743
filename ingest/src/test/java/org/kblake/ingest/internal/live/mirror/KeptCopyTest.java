package org.kblake.ingest.internal.live.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.FIRST;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.GROUP;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.RECHECK;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.SECOND;
import static org.kblake.ingest.internal.live.mirror.MirrorFixture.work;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.ingest.internal.live.group.GroupWork;

/** The copy of a log that has become shorter stays, because nothing else has the log's end. */
final class KeptCopyTest {

  @TempDir private Path directory;

  private MirrorFixture fixture = new MirrorFixture(Path.of(""));

  @BeforeEach
  void writePair() throws Exception {
    fixture = new MirrorFixture(directory);
    fixture.write(GROUP, FIRST, 2);
  }

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  /**
   * Copies a pair, whose log is then cut by its last event. Then blocks are made of the shorter
   * log, so nothing but the copy has that event.
   */
  private GroupMirror mirrorOfCutLog(GroupWork work) throws Exception {
    GroupMirror copies = fixture.groupMirror(work);
    copies.update(true);
    copies.update(true);
    long whole = Files.size(fixture.log(GROUP, FIRST));
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(whole);
    try (RandomAccessFile log = new RandomAccessFile(fixture.log(GROUP, FIRST).toFile(), "rw")) {
      log.setLength(whole - 28);
    }
    fixture.close(GROUP, FIRST);
    fixture.write(GROUP, SECOND, 2);
    fixture.room.set(1L << 30, 0, 0);
    copies.update(true);
    MirrorFixture.seal(work);
    return copies;
  }

  private void updateForLong(GroupMirror copies) {
    for (int i = 0; i < 3; i++) {
      copies.update(true);
      fixture.nowNanos += 3 * RECHECK.toNanos();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyOfALogThatBecameShorterStaysAfterARestartOrAFailure(boolean restart) throws Exception {
    GroupWork work = work(fixture.context(0, true, Map.of()), GROUP);
    GroupMirror copies = mirrorOfCutLog(work);
    long whole = fixture.copied(GROUP, FIRST);
    if (restart) {
      copies = fixture.groupMirror(work);
    } else {
      Path present = fixture.mirror.resolve(GROUP.system());
      Path away = Files.move(present, directory.resolve("away"));
      Files.createFile(present);
      copies.update(true);
      assertThat(fixture.problems.messages()).isNotEmpty();
      Files.delete(present);
      Files.move(away, present);
      fixture.nowNanos += Duration.ofSeconds(10).toNanos();
    }
    updateForLong(copies);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(whole);
    // Then the blocks of the whole log are made and compared.
    fixture.append(FIRST);
    fixture.close(GROUP, FIRST);
    updateForLong(copies);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(-1);
  }

  /** The archive's volume, or a directory of it, is away for a while. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyOfALogThatBecameShorterStaysWhileTheArchiveIsAway(boolean root) throws Exception {
    GroupWork work = work(fixture.context(0, true, Map.of()), GROUP);
    GroupMirror copies = mirrorOfCutLog(work);
    long whole = fixture.copied(GROUP, FIRST);
    Path present = root ? fixture.root : fixture.root.resolve(GROUP.system());
    Path away = Files.move(present, directory.resolve("away"));
    updateForLong(copies);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(whole);
    boolean unused = work.poll();
    updateForLong(copies);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(whole);
    Files.move(away, present);
    fixture.append(FIRST);
    fixture.close(GROUP, FIRST);
    updateForLong(copies);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(-1);
  }

  /** Somebody removed the pair, and the rest of the group is there. */
  @Test
  void copyOfAPairThatWasRemovedFromTheArchiveIsRemoved() throws Exception {
    GroupWork work = work(fixture.context(0, true, Map.of()), GROUP);
    GroupMirror copies = mirrorOfCutLog(work);
    Path log = fixture.log(GROUP, FIRST);
    Files.delete(log);
    Files.delete(log.resolveSibling(GROUP.name() + "_" + FIRST + ".log1"));
    updateForLong(copies);
    assertThat(fixture.copied(GROUP, FIRST)).isPositive();
    while (!work.isRemoved(FIRST)) {
      boolean unused = work.poll();
    }
    updateForLong(copies);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(-1);
  }

  private Path account() {
    return fixture
        .mirror
        .resolve(GROUP.system())
        .resolve(GROUP.name())
        .resolve(FIRST)
        .resolve("account");
  }

  /** Puts a directory in the place of a file, because it cannot be read. */
  private Path makeUnreadable(Path file) throws IOException {
    Path away = Files.move(file, directory.resolve("away"));
    Files.createDirectory(file);
    return away;
  }

  /** The mirror's disk has an error for a while. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyThatCannotBeReadStays(boolean restart) throws Exception {
    GroupWork work = work(fixture.context(0, true, Map.of()), GROUP);
    GroupMirror copies = mirrorOfCutLog(work);
    long whole = fixture.copied(GROUP, FIRST);
    Path account = account();
    Path away = makeUnreadable(account);
    if (restart) {
      copies = fixture.groupMirror(work);
    }
    updateForLong(copies);
    assertThat(account).isDirectory();
    Files.delete(account);
    Files.move(away, account);
    updateForLong(copies);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(whole);
  }

  /** A new process does not replace it. */
  @Test
  void copyOfANeededPairThatCannotBeReadStays() throws Exception {
    GroupWork work = work(fixture.context(0, true, Map.of()), GROUP);
    GroupMirror before = fixture.groupMirror(work);
    before.update(true);
    before.update(true);
    long whole = fixture.copied(GROUP, FIRST);
    Path account = account();
    Path away = makeUnreadable(account);
    GroupMirror copies = fixture.groupMirror(work);
    copies.update(true);
    assertThat(fixture.problems.messages()).hasSize(1);
    assertThat(account).isDirectory();
    Files.delete(account);
    Files.move(away, account);
    fixture.nowNanos += Duration.ofSeconds(10).toNanos();
    copies.update(true);
    assertThat(fixture.problems.messages()).isEmpty();
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(whole);
  }

  /** A large index would be read at each poll. */
  @Test
  void keptCopyIsReadOnceWhileTheLogDoesNotChange() throws Exception {
    GroupWork work = work(fixture.context(0, true, Map.of()), GROUP);
    GroupMirror before = fixture.groupMirror(work);
    before.update(true);
    before.update(true);
    long whole = fixture.copied(GROUP, FIRST);
    try (RandomAccessFile log = new RandomAccessFile(fixture.log(GROUP, FIRST).toFile(), "rw")) {
      log.setLength(whole - 28);
    }
    GroupMirror copies = fixture.groupMirror(work);
    copies.update(true);
    Path account = account();
    Path away = makeUnreadable(account);
    copies.update(true);
    assertThat(fixture.problems.messages()).isEmpty();
    Files.delete(account);
    Files.move(away, account);
    fixture.append(FIRST);
    fixture.append(FIRST);
    copies.update(true);
    copies.update(true);
    assertThat(fixture.copied(GROUP, FIRST)).isEqualTo(whole + 28);
  }
}
