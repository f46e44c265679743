package org.kblake.cli.command.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.kblake.cli.frame.TextColor;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/** Strips as text, of any width. */
final class StripTextTest {

  private static final long DAY = TimeUnit.DAYS.toNanos(1);

  /** 2024-05-20T00:00:00+09:00. */
  private static final long FROM = 1_716_130_800_000_000_000L;

  private static Histories example() {
    TimeRange range = new TimeRange(FROM, FROM + 4 * DAY);
    StateMap map = new StateMap(range);
    map.cover(LogState.COLUMNS, FROM + DAY / 2, FROM + 3 * DAY);
    map.cover(LogState.DAMAGED, FROM + DAY, FROM + DAY + 1);
    map.cover(LogState.RAW, FROM + 3 * DAY, FROM + 4 * DAY);
    return RandomHistories.histories(
        range, List.of(new GroupHistory(new Group("BM", "DCCT"), map.spans(), List.of())));
  }

  @Test
  void drawsALineForEachGroupAnAxisAndALegend() throws IOException {
    assertThat(StripText.of(example(), 80, false, false))
        .containsExactly(
            "GROUP    2024-05-20 to 2024-05-23, +09:00; 90 min a character            COLUMNS",
            "BM/DCCT  ........########X###############################oooooooooooooooo  71.4%",
            "         |05-20  |12:00  |05-21  |12:00  |05-22  |12:00  |05-23  |12:00",
            ". not recorded  # in columns  o raw only  X damaged");
  }

  @Test
  void usesBlocksInAUnicodeTerminal() throws IOException {
    assertThat(StripText.of(example(), 80, true, false).get(1))
        .contains("········████████X███████████████████████████████▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒");
  }

  @Test
  void coloursTheCellsOnly() throws IOException {
    List<String> plain = StripText.of(example(), 80, false, false);
    List<String> colored = StripText.of(example(), 80, false, true);
    assertThat(colored.get(1)).contains(TextColor.GREEN.of("########") + TextColor.RED.of("X"));
    for (int i = 0; i < plain.size(); i++) {
      assertThat(colored.get(i).replaceAll("\u001b\\w+\\[\\d+m", "")).isEqualTo(plain.get(i));
    }
  }

  @Test
  void everyStateHasACharacterOfItsOwn() {
    Set<Character> characters = new HashSet<>();
    for (LogState state : LogState.values()) {
      assertThat(characters.add(state.character(false))).as(state.text()).isTrue();
      assertThat(characters.add(state.character(true)) || state.character(true) < 128).isTrue();
    }
  }

  @Test
  void fitsEveryWindow() throws Exception {
    Seeds.each(
        "StripTextTest",
        300,
        seed -> {
          Random random = new Random(seed);
          Histories histories = RandomHistories.histories(random);
          int width = 40 + random.nextInt(161);
          List<String> lines = StripText.of(histories, width, false, false);
          String all = String.join("\n", lines);
          assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(all)).as(all).isTrue();
          assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
          for (int i = 0; i < histories.groups().size(); i++) {
            assertThat(lines.get(i + 1)).hasSize(width);
          }
          for (LogState state : histories.states()) {
            assertThat(all).contains(state.character(false) + " " + state.text());
          }
        });
  }

  @Test
  void lessThanAllIsNeverAHundredPercent() {
    assertThat(StripText.share(1)).isEqualTo("100%");
    assertThat(StripText.share(0.999999)).isEqualTo("99.9%");
    assertThat(StripText.share(0.5)).isEqualTo("50.0%");
    assertThat(StripText.share(1e-9)).isEqualTo("0.1%");
    assertThat(StripText.share(0)).isEqualTo("0%");
    assertThat(StripText.share(Double.NaN)).isEqualTo("-");
  }
}
