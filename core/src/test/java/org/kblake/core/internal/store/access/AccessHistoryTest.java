package org.kblake.core.internal.store.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;

/** The collected access records in two files of limited size. */
class AccessHistoryTest {

  private static final int MAX_BYTES = 1_000;

  @TempDir Path store;

  private AccessHistory history;

  @BeforeEach
  void open() throws Exception {
    new AccessDirectory(store).prepare();
    history = new AccessHistory(store, MAX_BYTES);
  }

  private static Access access(int number) {
    LogPosition from = new LogPosition("20160516000000", number);
    LogPosition to = new LogPosition("20160516000000", number + 1);
    return new Access(number, new Group("VA", "CCG"), from, to, number % 2 == 0, 1, 7);
  }

  private static List<Access> accesses(int from, int to) {
    List<Access> accesses = new ArrayList<>();
    for (int i = from; i < to; i++) {
      accesses.add(access(i));
    }
    return accesses;
  }

  @Test
  void isEmptyBeforeTheFirstRecord() throws Exception {
    history.add(List.of());
    assertThat(history.read()).isEmpty();
  }

  @Test
  void keepsTheLatestRecordsInOrder() throws Exception {
    for (int i = 0; i < 100; i++) {
      history.add(List.of(access(i)));
    }
    List<Access> kept = history.read();
    assertThat(kept).hasSizeBetween(10, 50);
    assertThat(kept).isEqualTo(accesses(100 - kept.size(), 100));
    assertThat(Files.size(store.resolve("access/history"))).isLessThanOrEqualTo(MAX_BYTES);
    assertThat(Files.size(store.resolve("access/history.older"))).isLessThanOrEqualTo(MAX_BYTES);
  }

  /** One round of the writer may collect more than a file holds. */
  @Test
  void dropsTheFirstRecordsOfManyAtOnce() throws Exception {
    history.add(accesses(0, 1_000));
    List<Access> kept = history.read();
    assertThat(kept).isEqualTo(accesses(1_000 - kept.size(), 1_000)).isNotEmpty();
    assertThat(Files.size(store.resolve("access/history"))).isLessThanOrEqualTo(MAX_BYTES);
  }

  /** A power cut may leave a partial line. */
  @Test
  void skipsInvalidLines() throws Exception {
    history.add(accesses(0, 2));
    Files.writeString(store.resolve("access/history"), "12345 VA/CC\n", StandardOpenOption.APPEND);
    history.add(accesses(2, 3));
    assertThat(history.read()).isEqualTo(accesses(0, 3));
  }

  /** Members of a group may write into access/ if the operator allows it. */
  @Test
  void doesNotFollowALink() throws Exception {
    Path other = Files.createFile(store.resolve("other"));
    Files.createSymbolicLink(store.resolve("access/history"), other);
    history.add(accesses(0, 1));
    assertThat(other).isEmptyFile();
    assertThat(history.read()).isEqualTo(accesses(0, 1));
  }
}
