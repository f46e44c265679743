package org.kblake.cli.run.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.kblake.ingest.internal.live.state.Counters;

final class MetricsDocumentTest {

  private static final Path PAGE = Path.of("../docs/metrics.md");

  /**
   * To write the page: {@code mvn -pl cli -am test -Dtest=MetricsDocumentTest -Dkblake.docs=write}.
   */
  @Test
  void pageIsUpToDate() throws IOException {
    if ("write".equals(System.getProperty("kblake.docs"))) {
      Files.writeString(PAGE, MetricsDocument.text());
    }
    assertThat(PAGE).content().isEqualTo(MetricsDocument.text());
  }

  @Test
  void namesAreThoseOfPrometheus() {
    String page = MetricsDocument.text();
    try (RunMetrics metrics = new RunMetrics(SampleStatuses.running(), new Counters())) {
      assertThat(metrics.scrape().lines())
          .filteredOn(line -> line.startsWith("kblake_"))
          .isNotEmpty()
          .allMatch(line -> page.contains("`" + line.split("[{ ]")[0] + "`"));
    }
  }
}
