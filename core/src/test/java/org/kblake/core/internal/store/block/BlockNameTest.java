package org.kblake.core.internal.store.block;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.log.LogPosition;

class BlockNameTest {

  @Test
  void aNameHasTheSpanAndTheGeneration() {
    String text = "20160516000000_0-20160516003355_87615.12";
    assertThat(BlockName.parse(text))
        .contains(
            new BlockName(
                new LogPosition("20160516000000", 0),
                new LogPosition("20160516003355", 87_615),
                12))
        .get()
        .hasToString(text);
  }

  /** Temporary directories, other names, and numbers outside the range of long and int. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unfinished-20160516000000_0-20160516003355_87615.1",
        "20160516000000_0-20160516003355_87615",
        "20160516000000_0-20160516003355_87615.",
        "20160516000000_0-20160516003355_87615.1x",
        "20160516000000_0-20160516003355_87615.1234567890",
        "20160516000000_-20160516003355_87615.1",
        "2016051600000_0-20160516003355_87615.1",
        "20160516000000_0-20160516003355.1",
        "20160516000000_1234567890123456789-20160516003355_87615.1",
        "20160516000000-0-20160516003355_87615.1",
        "lost+found",
      })
  void otherNamesAreNotParsed(String text) {
    assertThat(BlockName.parse(text)).isEmpty();
  }
}
