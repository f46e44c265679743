package org.kblake.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.Group;

final class ViewNamesTest {

  private static final Group CCG = Group.parse("VA/CCG");

  @Test
  void slashBecomesUnderscore() {
    ViewNames names = new ViewNames(List.of(CCG));
    assertThat(names.of(CCG)).isEqualTo("VA_CCG");
    assertThat(names.of(CCG, "double")).isEqualTo("VA_CCG_double");
    assertThat(names.of(CCG, "short-waveform")).isEqualTo("VA_CCG_short_waveform");
  }

  @Test
  void invalidCharactersBecomeUnderscores() {
    Group odd = Group.parse("1st/a.b-c \"d'運");
    assertThat(new ViewNames(List.of(odd)).of(odd)).isEqualTo("_1st_a_b_c__d__");
  }

  /** The groups differ only in case or in punctuation. The name of one group ends like a type. */
  @Test
  void noTwoViewsShareAName() {
    List<Group> groups =
        List.of(
            CCG,
            Group.parse("va/ccg"),
            Group.parse("VA/CCG_double"),
            Group.parse("VA_CCG/double"),
            Group.parse("V/A_CCG"));
    ViewNames names = new ViewNames(groups);
    Set<String> all = new TreeSet<>();
    for (Group group : groups) {
      assertThat(all.add(names.of(group).toLowerCase(Locale.ROOT))).as("%s", group).isTrue();
      for (String kind : List.of("double", "double-waveform", "string")) {
        String name = names.of(group, kind).toLowerCase(Locale.ROOT);
        assertThat(all.add(name)).as("%s %s", group, kind).isTrue();
      }
    }
  }

  @Test
  void unknownKindIsNamed() {
    ViewNames names = new ViewNames(List.of(CCG));
    assertThatThrownBy(() -> names.of(CCG, "uuid"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no such view: group=VA/CCG, kind=uuid");
  }
}
