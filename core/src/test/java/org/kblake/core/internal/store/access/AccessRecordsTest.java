package org.kblake.core.internal.store.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.file.UnixFile;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;

/** Access records of one user. AccessByOtherUsersTest tests those of other users. */
class AccessRecordsTest {

  private static final Access HIT =
      new Access(
          1_460_000_000_000L,
          new Group("VA", "CCG"),
          new LogPosition("20160516000000", 0),
          new LogPosition("20160517000000", 4711),
          true,
          123_456,
          7_000_000);
  private static final Access MISS =
      new Access(5, new Group("RF", "AnalogData"), HIT.to(), HIT.to(), false, 0, 0);
  private static final long MIB = 1 << 20;

  @TempDir Path store;

  private AccessRecords records;
  private AccessCollector collector;
  private final List<String> refusals = new ArrayList<>();

  @BeforeEach
  void open() {
    records = new AccessRecords(store);
    collector = new AccessCollector(store);
  }

  @AfterEach
  void close() throws IOException {
    collector.close();
  }

  private List<Access> take() throws IOException {
    List<Access> taken = new ArrayList<>();
    collector.take(taken::add, refusals::add);
    return taken;
  }

  /**
   * Calls {@link AccessCollector#take} twice: the first call moves the files, the second one reads
   * them.
   */
  private List<Access> takeTwice() throws IOException {
    List<Access> taken = new ArrayList<>(take());
    taken.addAll(take());
    return taken;
  }

  private Path readers() {
    return store.resolve("access/readers");
  }

  private static int mode(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
  }

  private static void chmod(Path path, int mode) throws IOException {
    Files.setAttribute(path, "unix:mode", mode);
  }

  private Path ownFile() throws IOException {
    return readers().resolve(Integer.toUnsignedString(UnixFile.ownUser()));
  }

  private String names(String directory) throws IOException {
    try (Stream<Path> files = Files.list(store.resolve(directory))) {
      return String.join(" ", files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void areTakenInTheOrderInWhichTheyWereWritten() throws Exception {
    collector.prepare();
    assertThat(records.write(List.of(HIT, MISS))).isTrue();
    assertThat(records.write(List.of(HIT))).isTrue();
    // The records that were just put aside are read at the next call.
    assertThat(take()).isEmpty();
    assertThat(records.write(List.of(MISS))).isTrue();
    assertThat(take()).containsExactly(HIT, MISS, HIT);
    assertThat(take()).containsExactly(MISS);
    assertThat(take()).isEmpty();
    assertThat(refusals).isEmpty();
  }

  @Test
  void areAlsoWrittenToAFileOfTheUser() throws Exception {
    collector.prepare();
    records.writeAmongUsers(List.of(HIT));
    records.writeAmongUsers(List.of(MISS));
    assertThat(mode(ownFile()) & 0444).isEqualTo(0444);
    assertThat(takeTwice()).containsExactly(HIT, MISS);
    assertThat(names("access/readers")).isEmpty();
    assertThat(names("access/taken")).isEmpty();
  }

  @Test
  void areNotWrittenIfTheStoreDoesNotUseThem() throws Exception {
    assertThat(records.write(List.of(HIT))).isTrue();
    records.writeAmongUsers(List.of(HIT));
    assertThat(store).isEmptyDirectory();
  }

  @Test
  void invalidRecordsAreIgnored() throws Exception {
    collector.prepare();
    records.write(List.of(HIT));
    Files.writeString(
        store.resolve("access/records"),
        """
        nonsense

        1 VA/CCG x y raw 1 1
        1 VA 20160516000000_0 20160516000000_1 raw 1 1
        1 VA/CCG 20160516000000_0 20160516000000_1 raw 99999999999999999999 1
        1 VA/CCG 20160516000000_0 20160516000000_1 raw -1 1
        1 VA/CCG 20160516000000_0 20160516000000_1 raw 1 -1
        -1 VA/CCG 20160516000000_0 20160516000000_1 raw 1 1
        1 VA/CCG 20160516000000_0 20160517000000_1 raw 9223372036854775807 1
        """,
        StandardOpenOption.APPEND);
    records.write(List.of(MISS));
    assertThat(takeTwice()).containsExactly(HIT, MISS);
  }

  /**
   * An older version writes and puts aside records in access/ itself, which it creates with mode
   * 0755.
   */
  @Test
  void areTakenFromFilesOfOlderVersions() throws Exception {
    Files.createDirectories(store.resolve("access"));
    Files.writeString(store.resolve("access/records"), MISS.text() + "\n");
    Files.writeString(store.resolve("access/records.taken"), HIT.text() + "\n");
    assertThat(takeTwice()).containsExactlyInAnyOrder(HIT, MISS);
    assertThat(names("access")).isEqualTo("readers taken");
  }

  /** An older writer reads only the one file and the file that it has put aside itself. */
  @Test
  void areWrittenForAnOlderWriterIfPermitted() throws Exception {
    Files.createDirectories(store.resolve("access"));
    assertThat(records.write(List.of(HIT))).isTrue();
    assertThat(store.resolve("access/records")).hasContent(HIT.text());
    collector.prepare();
    assertThat(records.write(List.of(MISS))).isTrue();
    assertThat(store.resolve("access/records")).hasContent(HIT.text() + "\n" + MISS.text());
  }

  @Test
  void modesAreCorrected() throws Exception {
    chmod(store, 0755);
    Path access = Files.createDirectory(store.resolve("access"));
    chmod(access, 0700);
    collector.prepare();
    assertThat(mode(access)).isEqualTo(0755);
    assertThat(mode(readers())).isEqualTo(01777);
    assertThat(mode(store.resolve("access/taken"))).isEqualTo(0700);
    chmod(store.resolve("access/taken"), 0777);
    // Without the sticky bit, users could remove files of other users.
    chmod(readers(), 0777);
    collector.prepare();
    assertThat(mode(readers())).isEqualTo(01777);
    assertThat(mode(store.resolve("access/taken"))).isEqualTo(0700);
    chmod(readers(), 0755);
    collector.prepare();
    assertThat(mode(readers())).isEqualTo(01777);
    // An operator may allow only one group to write records.
    chmod(readers(), 01770);
    collector.prepare();
    assertThat(mode(readers())).isEqualTo(01770);
    // A user has changed the mode so that older versions can write.
    chmod(access, 0777);
    collector.prepare();
    assertThat(mode(access)).isEqualTo(01777);
  }

  @Test
  void aNewStoreHasTheDirectories() throws Exception {
    Path fresh = store.resolve("fresh");
    StoreIdentity identity =
        StoreIdentity.of(store.resolve("archive"), "Asia/Tokyo", 1, "kekblog", "standard");
    Store.openForWriting(fresh, identity).close();
    assertThat(mode(fresh.resolve("access/readers"))).isEqualTo(01777);
    try (Store opened = Store.openForWriting(fresh, identity)) {
      assertThat(opened.groups()).isEmpty();
    }
  }

  @Test
  void onlyPlainFilesAreTaken() throws Exception {
    Path secret = Files.writeString(store.resolve("secret"), HIT.text() + "\n");
    collector.prepare();
    Files.createSymbolicLink(ownFile(), secret);
    assertThat(takeTwice()).isEmpty();
    Files.createLink(ownFile(), secret);
    assertThat(takeTwice()).isEmpty();
    pipe(ownFile());
    assertThat(takeTwice()).isEmpty();
    Files.writeString(Files.createDirectory(ownFile()).resolve("kept"), "");
    assertThat(takeTwice()).isEmpty();
    records.writeAmongUsers(List.of(MISS));
    assertThat(takeTwice()).containsExactly(MISS);
    assertThat(secret).hasContent(HIT.text());
    assertThat(refusals.get(0)).startsWith("is not a plain file of that user: name=");
    assertThat(names("access/taken")).isEmpty();
  }

  /** A reader that runs as the superuser must not write through a link of another user. */
  @Test
  void readersWriteToPlainFilesOnly() throws Exception {
    Path secret = Files.writeString(store.resolve("secret"), "");
    collector.prepare();
    Path shared = store.resolve("access/records");
    Files.createSymbolicLink(shared, secret);
    Files.createSymbolicLink(ownFile(), secret);
    writeAndDelete();
    Files.createLink(shared, secret);
    Files.createLink(ownFile(), secret);
    writeAndDelete();
    pipe(shared);
    pipe(ownFile());
    writeAndDelete();
    Files.createDirectory(shared);
    Files.createDirectory(ownFile());
    writeAndDelete();
    assertThat(secret).isEmptyFile();
  }

  private void writeAndDelete() throws IOException {
    assertThat(records.write(List.of(HIT))).isFalse();
    records.writeAmongUsers(List.of(HIT));
    Files.delete(store.resolve("access/records"));
    Files.delete(ownFile());
  }

  private static void pipe(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
  }

  @Test
  void atMostOneMebibyteOfAFileIsTaken() throws Exception {
    collector.prepare();
    records.writeAmongUsers(List.of(HIT));
    try (RandomAccessFile file = new RandomAccessFile(ownFile().toFile(), "rw")) {
      file.setLength(1L << 40);
    }
    // A reader does not append to such a file.
    records.writeAmongUsers(List.of(MISS));
    assertThat(takeTwice()).containsExactly(HIT);
    assertThat(refusals).singleElement().asString().startsWith("is larger than 1048576 bytes");
    assertThat(names("access/taken")).isEmpty();
  }

  @Test
  void readersStopAtOneMebibyte() throws Exception {
    collector.prepare();
    for (int i = 0; i < 20_000; i++) {
      records.writeAmongUsers(List.of(HIT));
    }
    assertThat(Files.size(ownFile())).isBetween(MIB - 200, MIB);
    assertThat(takeTwice()).hasSizeGreaterThan(10_000).containsOnly(HIT);
    assertThat(refusals).isEmpty();
  }

  @Test
  void filesWithOtherNamesThanUsersAreRemoved() throws Exception {
    collector.prepare();
    for (String name : List.of("x", "-1", "007", "4294967296", "9999999999", "1 ", ".1", "1\n2")) {
      Files.writeString(readers().resolve(name), HIT.text() + "\n");
    }
    assertThat(takeTwice()).isEmpty();
    assertThat(names("access/readers")).isEmpty();
    assertThat(refusals).hasSize(8);
  }

  /** A call takes a limited number of them. Repeated calls reach the last one. */
  @Test
  void manyFilesAreTakenSomeAtATime() throws Exception {
    collector = new AccessCollector(store, 10);
    collector.prepare();
    for (int i = 0; i < 25; i++) {
      // Names that cannot be removed would always be the first of the list.
      Files.createDirectories(readers().resolve("junk" + i + "/kept"));
    }
    records.writeAmongUsers(List.of(HIT));
    List<Access> taken = new ArrayList<>();
    for (int call = 1; call <= 4; call++) {
      refusals.clear();
      taken.addAll(take());
      assertThat(refusals).hasSizeLessThanOrEqualTo(10);
    }
    assertThat(taken).containsExactly(HIT);
  }

  @Test
  void directoriesMustBeDirectories() throws Exception {
    collector.prepare();
    Files.delete(readers());
    Files.createSymbolicLink(readers(), Files.createDirectory(store.resolve("elsewhere")));
    assertThatThrownBy(this::take)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("not a directory: " + readers());
  }
}
