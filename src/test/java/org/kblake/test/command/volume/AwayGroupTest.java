package org.kblake.test.command.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;

/**
 * Commands while the directory of a system cannot be listed, or is empty as an unmounted mount
 * point is. Other groups are answered, stored blocks are read, and errors name the unavailable
 * group.
 */
final class AwayGroupTest {

  private static final String RF = "RF_AnalogData:D02_007:XPOS";

  /**
   * A channel of VA/CCG. Its blocks hold 00:00 to 00:34 of two pairs, with a pause of some minutes
   * between them.
   */
  private static final String VA = "VA_CCG:D04_000:PRES";

  /** The state of the system's directory. */
  enum Trouble {
    DANGLING_LINK("link has no target: target=/nowhere"),
    LINK_TO_ITSELF("link points to itself"),
    FILE("not a directory"),
    EMPTY("the archive has no pair of it"),
    GONE("the archive has no pair of it");

    private final String reason;

    Trouble(String reason) {
      this.reason = reason;
    }

    boolean isLink() {
      return this == DANGLING_LINK || this == LINK_TO_ITSELF;
    }

    void applyTo(Path system) throws IOException {
      switch (this) {
        case DANGLING_LINK -> Files.createSymbolicLink(system, Path.of("/nowhere"));
        case LINK_TO_ITSELF -> Files.createSymbolicLink(system, system.getFileName());
        case FILE -> Files.createFile(system);
        case EMPTY -> Files.createDirectory(system);
        case GONE -> {
          // The directory does not exist.
        }
      }
    }
  }

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    kblake = CommandFixture.mixed(directory);
  }

  private Path system() {
    return kblake.archive().resolve("VA");
  }

  private void begin(Trouble trouble) throws IOException {
    Files.move(system(), directory.resolve("VA"));
    trouble.applyTo(system());
  }

  private void forgetGroupList() throws IOException {
    Files.delete(kblake.archive().resolve("SYS/KEKBLog.list"));
  }

  private KblakeRun get(String... args) {
    return kblake.run(
        Stream.concat(Stream.of("get", "-q"), Stream.of(args)).toArray(String[]::new));
  }

  /** Asserts that standard error has the place and the reason, and does not name other groups. */
  private void assertNamesPlaceAndReason(KblakeRun run, Trouble trouble) {
    assertThat(run.err()).contains("VA/CCG", system().toString(), trouble.reason);
    assertThat(run.err()).doesNotContain("RF/");
  }

  @ParameterizedTest
  @EnumSource
  void columnsAreReadAndTheRestIsUnavailable(Trouble trouble) throws Exception {
    kblake.backfill();
    String[] within = {"--from", "2016-05-16", "--to", "2016-05-16T00:32", "*"};
    String[] beyond = {"--from", "2016-05-16", "--to", "2016-05-17", "*"};
    String[] grid = {"--wide", "--every", "60s", "--from", "2016-05-16T00:05", "--to"};
    KblakeRun before = get(within);
    KblakeRun dayBefore = get(beyond);
    begin(trouble);
    for (boolean listed : new boolean[] {true, false}) {
      if (!listed) {
        forgetGroupList();
      }
      // Without the group list, a directory that cannot be listed may contain other groups.
      boolean all = listed || !trouble.isLink();
      String[] groups = all ? new String[0] : new String[] {"-g", "VA/CCG", "-g", "RF/AnalogData"};
      KblakeRun same = get(with(groups, within));
      assertThat(same.err()).isEmpty();
      assertThat(same).isEqualTo(before);
      KblakeRun day = get(with(groups, beyond));
      assertThat(day.out()).isEqualTo(dayBefore.out());
      assertThat(day.status()).isEqualTo(3);
      assertThat(day.err())
          .startsWith("kblake get: incomplete: unavailable: VA/CCG from 2016-05-16T00:34:")
          .hasLineCount(1);
      assertNamesPlaceAndReason(day, trouble);
      assertThat(get("--from", "2016-05-15", "--to", "2016-05-16T00:32", VA).err())
          .contains("VA/CCG from 2016-05-15T00:00:00+09:00 to 2016-05-16T00:00:00+09:00");
      assertThat(get("--at", "2016-05-16T00:30", VA).status()).isZero();
      assertNamesPlaceAndReason(get("--at", "2016-05-16T01:00", VA), trouble);
      assertThat(get("--at", "2016-05-16T01:00", VA).status()).isEqualTo(3);
      assertThat(get(with(grid, "2016-05-16T00:10", VA)).status()).isZero();
      assertNamesPlaceAndReason(get(with(grid, "2016-05-16T00:50", VA)), trouble);
      assertThat(get("--from", "2016-05-16", "--to", "2016-05-17", RF).status()).isZero();
      assertThat(kblake.kblogrd("-t", "201605160000-201605160032", "VA/CCG").status()).isZero();
      KblakeRun text = kblake.kblogrd("-t", "20160516-20160517", "VA/CCG");
      assertThat(text.status()).isEqualTo(3);
      assertNamesPlaceAndReason(text, trouble);
    }
  }

  static String[] with(String[] some, String... more) {
    return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
  }

  @ParameterizedTest
  @EnumSource
  void everyCommandHandlesOtherGroupsAndNamesThisOne(Trouble trouble) throws Exception {
    kblake.backfill();
    String channels = kblake.run("channels").out();
    begin(trouble);
    for (boolean listed : new boolean[] {true, false}) {
      if (!listed) {
        forgetGroupList();
      }
      KblakeRun names = kblake.run("channels");
      assertThat(names.out().lines())
          .containsExactlyInAnyOrderElementsOf(channels.lines().toList());
      KblakeRun status = kblake.run("status");
      assertThat(status.out())
          .containsPattern("RF/AnalogData .* 100% ")
          .containsPattern("VA/CCG .* - .* away")
          .doesNotContainPattern("total .* 100%");
      for (KblakeRun run : List.of(names, status, kblake.run("compact"), kblake.run("backfill"))) {
        assertThat(run.status()).as("%s", run).isEqualTo(3);
        assertThat(run.err()).contains("VA/CCG", system().toString(), trouble.reason);
      }
      KblakeRun check = kblake.run("check", "coverage");
      assertThat(check.status()).isEqualTo(3);
      assertThat(check.out()).contains("coverage is not known", "VA/CCG", trouble.reason);
      assertThat(kblake.run("check").out()).contains("VA/CCG", trouble.reason);
      assertThat(kblake.run("verify").out()).contains("checked by hashes 1");
    }
  }

  @ParameterizedTest
  @EnumSource
  void otherGroupsAreReadWithoutColumns(Trouble trouble) throws Exception {
    begin(trouble);
    KblakeRun all = get("--from", "2016-05-16", "--to", "2016-05-17", "*");
    assertThat(all.status()).isEqualTo(3);
    assertThat(all.out()).contains("RF_AnalogData");
    assertNamesPlaceAndReason(all, trouble);
    assertThat(get("--at", "2016-05-16T00:30", "*").status()).isEqualTo(3);
    assertThat(get("--from", "2016-05-16", "--to", "2016-05-17", RF).status()).isZero();
    KblakeRun unknown = get("--from", "2016-05-16", "--to", "2016-05-17", VA);
    assertThat(unknown.status()).isEqualTo(3);
    assertNamesPlaceAndReason(unknown, trouble);
    assertThat(kblake.run("channels").out()).contains("RF_AnalogData");
    KblakeRun made = kblake.run("backfill");
    assertThat(made.status()).isEqualTo(3);
    assertNamesPlaceAndReason(made, trouble);
    KblakeRun text = kblake.kblogrd("-t", "20160516-20160517", "VA/CCG");
    assertThat(text.status()).isEqualTo(3);
    assertNamesPlaceAndReason(text, trouble);
    assertThat(CommandFixture.fact(made, "events")).isEqualTo(22_862);
  }

  /** Neither KEKBLog.list nor columns name a group, so the directory may contain any group. */
  @Test
  void directoryOfUnknownGroupsIsNamed() throws Exception {
    begin(Trouble.DANGLING_LINK);
    forgetGroupList();
    KblakeRun all = get("--from", "2016-05-16", "--to", "2016-05-17", "*");
    assertThat(all.status()).isEqualTo(3);
    assertThat(all.out()).contains("RF_AnalogData");
    assertThat(all.err()).contains(system().toString(), "target=/nowhere").hasLineCount(1);
    assertThat(get("--from", "2016-05-16", "--to", "2016-05-17", RF).status()).isZero();
    for (String command : List.of("channels", "status", "backfill")) {
      for (KblakeRun run : List.of(kblake.run(command), kblake.run(command, "-g", "VA/CCG"))) {
        assertThat(run.status()).as("%s", run).isEqualTo(3);
        assertThat(run.err()).contains(system().toString(), "target=/nowhere");
      }
    }
    KblakeRun text = kblake.kblogrd("-t", "20160516-20160517", "VA/CCG");
    assertThat(text.status()).isEqualTo(3);
    assertThat(text.err()).contains(system().toString(), "target=/nowhere");
  }

  /** KEKBLog.list also names groups that were never recorded. */
  @Test
  void groupWithoutPairsIsNotUnavailable() throws Exception {
    Files.writeString(
        kblake.archive().resolve("SYS/KEKBLog.list"), "VA CCG\nVA IPump\nRF AnalogData\n");
    assertThat(get("--from", "2016-05-16", "--to", "2016-05-17", "*").status()).isZero();
    assertThat(kblake.run("status").status()).isZero();
    assertThat(kblake.run("backfill").status()).isZero();
  }

  /** Logs that columns replace are removed on purpose. */
  @ParameterizedTest
  @EnumSource(names = {"EMPTY", "GONE"})
  void groupWhoseLogsAreReplacedIsNoProblem(Trouble trouble) throws Exception {
    kblake.backfill();
    Files.writeString(directory.resolve("kblake.toml"), "[run]\nretain = \"yes\"\n");
    begin(trouble);
    for (String command : List.of("channels", "status", "backfill", "compact")) {
      assertThat(kblake.run(command).status()).as(command).isZero();
    }
    assertThat(kblake.run("check", "coverage").out()).contains("coverage 100.00%");
    assertThat(get("--from", "2016-05-16", "--to", "2016-05-17", VA).status()).isEqualTo(3);
  }

  /** The lag is unknown if the log is missing. */
  @Test
  void lagOfAnUnavailableGroupIsNotKnown() throws Exception {
    kblake.backfill();
    begin(Trouble.EMPTY);
    KblakeRun check = kblake.run("check", "lag");
    assertThat(check.status()).as(check.out()).isEqualTo(3);
    assertThat(check.out()).contains("lag is not known");
    String json = kblake.run("status", "-f", "json").out();
    assertThat(json).contains("\"away\" : true", "\"away\" : false", "\"lagSeconds\" : null");
  }

  /** Columns can only replace logs that have blocks. */
  @Test
  void groupThatWasNeverInColumnsIsUnavailableUnderRetain() throws Exception {
    Files.writeString(directory.resolve("kblake.toml"), "[run]\nretain = \"yes\"\n");
    begin(Trouble.EMPTY);
    KblakeRun status = kblake.run("status");
    assertThat(status.status()).isEqualTo(3);
    assertNamesPlaceAndReason(status, Trouble.EMPTY);
  }
}
