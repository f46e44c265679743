package org.kblake.cli.run.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class RunLogTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private RunLog log(LogFormat format, boolean quiet) {
    return new RunLog(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        Clock.fixed(Instant.parse("2016-05-16T00:40:00.1234Z"), ZoneOffset.UTC),
        format,
        quiet);
  }

  @Test
  void lineIsKeysAndValues() {
    log(LogFormat.TEXT, false).info("block sealed", "group", "VA/CCG", "why", "a \"b\"\nc");
    assertThat(out)
        .hasToString(
            "time=2016-05-16T00:40:00.123Z level=INFO message=\"block sealed\" group=VA/CCG"
                + " why=\"a \\\"b\\\" c\""
                + System.lineSeparator());
  }

  @Test
  void lineIsJson() {
    log(LogFormat.JSON, false).warn("problem", "group", "VA/CCG", "why", "a\nb");
    assertThat(out)
        .hasToString(
            "{\"time\":\"2016-05-16T00:40:00.123Z\",\"level\":\"WARN\",\"message\":\"problem\","
                + "\"group\":\"VA/CCG\",\"why\":\"a\\nb\"}"
                + System.lineSeparator());
  }

  @Test
  void quietLogsProblemsOnly() {
    RunLog log = log(LogFormat.TEXT, true);
    log.info("block sealed");
    assertThat(out.size()).isZero();
    log.warn("problem");
    assertThat(out.size()).isPositive();
  }

  @Test
  void takesOverTheLogsOfLibraries() {
    log(LogFormat.TEXT, false).takeOverLibraries();
    LoggerFactory.getLogger("library").warn("disk {} is slow", 7);
    assertThat(out)
        .hasToString(
            "time=2016-05-16T00:40:00.123Z level=WARN message=\"disk 7 is slow\" logger=library"
                + System.lineSeparator());
  }
}
