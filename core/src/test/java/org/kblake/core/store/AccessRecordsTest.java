package org.kblake.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.model.Group;

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

  @TempDir Path store;

  @Test
  void areTakenInTheOrderInWhichTheyWereLeft() throws Exception {
    AccessRecords records = new AccessRecords(store);
    records.want();
    records.leave(List.of(HIT, MISS));
    records.leave(List.of(HIT));
    // What is put aside now is read at the next call.
    assertThat(records.take()).isEmpty();
    records.leave(List.of(MISS));
    assertThat(records.take()).containsExactly(HIT, MISS, HIT);
    assertThat(records.take()).containsExactly(MISS);
    assertThat(records.take()).isEmpty();
  }

  @Test
  void areNotLeftWhereNobodyWantsThem() throws Exception {
    AccessRecords records = new AccessRecords(store);
    records.leave(List.of(HIT));
    assertThat(store).isEmptyDirectory();
    assertThat(records.take()).isEmpty();
  }

  @Test
  void mayBeAnything() throws Exception {
    AccessRecords records = new AccessRecords(store);
    records.want();
    records.leave(List.of(HIT));
    Files.writeString(
        store.resolve("access/records"),
        """
        nonsense

        1 VA/CCG x y raw 1 1
        1 VA 20160516000000_0 20160516000000_1 raw 1 1
        1 VA/CCG 20160516000000_0 20160516000000_1 raw 99999999999999999999 1
        """,
        StandardOpenOption.APPEND);
    records.leave(List.of(MISS));
    records.take();
    assertThat(records.take()).containsExactly(HIT, MISS);
  }
}
