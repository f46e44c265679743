package org.kblake.query.internal.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.metadata.Aliases;
import org.kblake.core.metadata.RecordName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.question.ChannelPattern;

/** Loops over the names of a large site end when nobody wants the answer any more. */
final class StoppedNamesTest {

  private static final int CHANNELS = 20_000;
  private static final int ASKED = 100;

  private int asked;

  /** Other tests run on this thread. */
  @AfterEach
  void clearInterrupt() {
    boolean unused = Thread.interrupted();
  }

  private static Aliases renamed() {
    Map<String, List<RecordName>> former = new HashMap<>();
    for (int i = 0; i < CHANNELS; i++) {
      former.put("NEW" + i, List.of(new RecordName("OLD" + i, Long.MIN_VALUE, 1_000)));
    }
    return new Aliases(former);
  }

  private static Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    for (int i = 0; i < CHANNELS; i++) {
      names.add("NEW" + i);
      names.add("OLD" + i);
    }
    return names;
  }

  /** Looks into record tables, of which there may be thousands. Meanwhile the client leaves. */
  private boolean isRecordedAfter(String record, long nanos) {
    if (++asked == ASKED) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  @Test
  void formerNamesOfManyChannels() throws Exception {
    Aliases aliases = renamed();
    assertThat(ChannelNames.withoutFormer(names(), aliases, (record, nanos) -> false))
        .hasSize(CHANNELS)
        .allMatch(name -> name.startsWith("NEW"));
    assertThatThrownBy(() -> ChannelNames.withoutFormer(names(), aliases, this::isRecordedAfter))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(asked).isEqualTo(ASKED);
  }

  @Test
  void recordsOfManyChannels() throws Exception {
    Aliases aliases = renamed();
    Set<String> selected = names();
    assertThatThrownBy(
            () -> {
              for (String name : selected) {
                ChannelNames.records(name, selected, aliases, this::isRecordedAfter);
              }
            })
        .isInstanceOf(InterruptedIOException.class);
    assertThat(asked).isEqualTo(ASKED);
  }

  /** Several groups are searched by name, if many names are asked for. */
  @Test
  void namesOfManyRecordTables() {
    List<RecordEntry> entries = new ArrayList<>();
    for (int i = 0; i < CHANNELS; i++) {
      entries.add(new RecordEntry(i, "NEW" + i, ValueType.DOUBLE, 1));
    }
    List<GroupTables> groups = new ArrayList<>();
    for (String name : List.of("A", "B")) {
      groups.add(
          new GroupTables(
              new Group("S", name),
              List.of(new RecordTable(entries)),
              List.of(Long.MAX_VALUE),
              renamed(),
              null));
    }
    List<ChannelPattern> patterns = new ArrayList<>();
    for (int i = 0; i < 2 * CHANNELS; i++) {
      patterns.add(ChannelPattern.name("NEW" + i));
    }
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> groups.get(0).names()).isInstanceOf(InterruptedIOException.class);
    assertThatThrownBy(() -> GroupsByName.of(patterns, groups))
        .isInstanceOf(InterruptedIOException.class);
  }
}
