package org.kblake.query.internal.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.metadata.Aliases;
import org.kblake.core.internal.metadata.RecordName;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

final class GroupTablesTest {

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

  @Test
  void theGroupsOfANameAreThoseThatHaveIt() {
    Map<String, List<GroupTables>> byName = GroupTables.byName(1_000, GROUPS);
    for (String name : List.of("A", "B", "C", "D", "NEW", "OTHER")) {
      assertThat(byName.getOrDefault(name, List.of()))
          .as(name)
          .isEqualTo(GROUPS.stream().filter(group -> group.has(name)).toList());
    }
    assertThat(byName.get("NEW")).hasSize(1);
  }

  @Test
  void fewNamesAreLookedUpOneByOne() {
    assertThat(GroupTables.byName(1, GROUPS)).isEmpty();
  }
}
