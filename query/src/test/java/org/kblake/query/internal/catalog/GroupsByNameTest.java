package org.kblake.query.internal.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.metadata.Aliases;
import org.kblake.core.metadata.RecordName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.question.ChannelPattern;

final class GroupsByNameTest {

  private static final Aliases RENAMED =
      new Aliases(Map.of("NEW", List.of(new RecordName("B", Long.MIN_VALUE, Long.MAX_VALUE))));

  private static final List<GroupTables> GROUPS =
      List.of(
          group("G1", Aliases.NONE, table("A", "B"), table("C")),
          group("G2", RENAMED, table("B", "D")),
          group("G3", Aliases.NONE, table("A", "D"), table("A")));

  private static RecordTable table(String... names) {
    List<RecordEntry> records = new ArrayList<>();
    for (String name : names) {
      records.add(new RecordEntry(records.size(), name, ValueType.DOUBLE, 1));
    }
    return new RecordTable(records);
  }

  private static GroupTables group(String name, Aliases aliases, RecordTable... tables) {
    return new GroupTables(
        new Group("S", name),
        List.of(tables),
        List.of(tables).stream().map(table -> Long.MAX_VALUE).toList(),
        aliases,
        null);
  }

  private static GroupsByName wanted(int names) throws Exception {
    return GroupsByName.of(Collections.nCopies(names, ChannelPattern.name("A")), GROUPS);
  }

  @Test
  void theGroupsOfANameAreThoseThatHaveItForFewAndForManyNames() throws Exception {
    for (String name : List.of("A", "B", "C", "D", "NEW", "OTHER")) {
      List<GroupTables> having = GROUPS.stream().filter(group -> group.has(name)).toList();
      assertThat(wanted(1).of(name)).as(name).isEqualTo(having);
      assertThat(wanted(1_000).of(name)).as(name).isEqualTo(having);
      assertThat(wanted(1_000).has(name)).as(name).isEqualTo(!having.isEmpty());
    }
    assertThat(wanted(1_000).of("NEW")).hasSize(1);
  }
}
