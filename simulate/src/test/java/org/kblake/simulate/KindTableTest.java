package org.kblake.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.kblake.simulate.channel.SignalKind;
import org.kblake.simulate.preset.SimulatedGroup;

/** The table of docs/design/simulated-kinds.md agrees with the simulated channels of each kind. */
class KindTableTest {

  private static final Path PAGE = Path.of("..", "docs", "design", "simulated-kinds.md");
  private static final Pattern BAR = Pattern.compile(" *\\| *");
  private static final double TOLERANCE = 0.05;
  private static final int FIRST_NUMBER = 3;

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 6 s of a processor")
  @Test
  void everyKindAgreesWithItsRow() throws IOException {
    List<KindStatistics> measured = measured();
    String found = String.join("\n", measured.stream().map(KindStatistics::row).toList());
    Map<String, String> documented = documented(measured);

    assertThat(documented.keySet())
        .as("kinds in %s, measured:%n%s", PAGE, found)
        .containsExactlyElementsOf(measured.stream().map(KindStatistics::label).toList());
    for (KindStatistics kind : measured) {
      compare(documented.getOrDefault(kind.label(), ""), kind.row());
    }
  }

  private static void compare(String documented, String measured) {
    String[] expected = BAR.split(documented);
    String[] actual = BAR.split(measured);
    assertThat(actual).as(measured).hasSameSizeAs(expected);
    for (int i = 1; i < actual.length; i++) {
      if (i <= FIRST_NUMBER) {
        assertThat(actual[i]).as(measured).isEqualTo(expected[i]);
      } else {
        double is = Double.parseDouble(actual[i]);
        double said = Double.parseDouble(expected[i]);
        assertThat(is).as(measured).isBetween(said * (1 - TOLERANCE), said * (1 + TOLERANCE));
      }
    }
  }

  private static List<KindStatistics> measured() {
    Map<String, SignalKind> kinds = new LinkedHashMap<>();
    for (Preset preset : Preset.values()) {
      for (SimulatedGroup plan : preset.groups(1)) {
        plan.channels().forEach(each -> kinds.put(each.kind().label(), each.kind()));
      }
    }
    List<KindStatistics> measured = new ArrayList<>();
    kinds.values().forEach(kind -> measured.add(KindStatistics.measure(kind)));
    return measured;
  }

  /** Returns the page's rows by the kind with which they begin. */
  private static Map<String, String> documented(List<KindStatistics> kinds) throws IOException {
    Map<String, String> rows = new LinkedHashMap<>();
    for (String line : Files.readAllLines(PAGE)) {
      for (KindStatistics kind : kinds) {
        if (line.startsWith("| " + kind.label() + " | ")) {
          rows.put(kind.label(), line);
        }
      }
    }
    return rows;
  }
}
