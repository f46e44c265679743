package org.kblake.lake.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

final class TableNamesTest {

  private static final TableKind DOUBLES = new TableKind(ValueType.DOUBLE, false);

  @Test
  void usualGroupsKeepTheirNames() {
    assertThat(TableNames.of(new Group("VA", "CCG"), DOUBLES)).hasToString("VA.CCG_double");
    assertThat(TableNames.of(new Group("Misc", "Base_2"), new TableKind(ValueType.CHAR, true)))
        .hasToString("Misc.Base_2_char_waveform");
  }

  /** A name with a blank, a dot or a minus would need quotes in SQL, and a dot would divide it. */
  @Test
  void otherLettersAreEscaped() {
    assertThat(TableNames.escaped("A-B.C d")).isEqualTo("A_x2DB_x2EC_x20d");
    assertThat(TableNames.escaped("真空")).isEqualTo("_xE7_x9C_x9F_xE7_xA9_xBA");
    assertThat(TableNames.escaped("A_x2DB")).isEqualTo("A_x5Fx2DB");
  }

  @Test
  void differentGroupsHaveDifferentTables() {
    SplittableRandom random = new SplittableRandom(Seeds.one("differentGroupsHaveDifferentTables"));
    List<String> letters = List.of("_", "x", "2", "D", "-", "_x", "5F", "double", "_waveform");
    Set<String> groups = new HashSet<>();
    Set<String> tables = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder name = new StringBuilder("A");
      for (int length = random.nextInt(6); length > 0; length--) {
        name.append(letters.get(random.nextInt(letters.size())));
      }
      if (groups.add(name.toString())) {
        for (TableKind kind : TableKind.all()) {
          tables.add(TableNames.of(new Group("S", name.toString()), kind).toString());
        }
      }
    }
    assertThat(tables).hasSize(groups.size() * TableKind.all().size());
    assertThat(tables).allMatch(table -> table.matches("S\\.[A-Za-z0-9_]+"));
  }
}
