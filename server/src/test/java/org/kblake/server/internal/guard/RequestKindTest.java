package org.kblake.server.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The limit that a request counts for. */
final class RequestKindTest {

  private static final String DATA = "/retrieval/data/getData.raw";
  private static final String SAMPLES = "/archive/1/samples/A:B";

  private static void is(RequestKind kind, String path, @Nullable String query) {
    assertThat(RequestKind.of(path, query)).as("%s?%s", path, query).isEqualTo(kind);
  }

  /** Phoebus asks so first for each trace. It must not wait behind an export of a year. */
  @Test
  void samplesAtOneTimeAreNoExport() {
    is(RequestKind.TRENDS, DATA, "pv=A&from=2016-05-16T00:00:00Z&to=2016-05-16T00:00:00Z");
    is(RequestKind.TRENDS, DATA, "to=1&from=1&pv=A");
    is(RequestKind.TRENDS, SAMPLES, "start=1463324400000000000&end=1463324400000000000");
    is(RequestKind.EXPORTS, DATA, "pv=A&from=2016-05-16T00:00:00Z&to=2016-05-16T00:00:01Z");
    is(RequestKind.EXPORTS, DATA, "pv=A&from=1&xto=1");
    is(RequestKind.EXPORTS, DATA, "pv=A");
    is(RequestKind.EXPORTS, DATA, null);
    is(RequestKind.EXPORTS, SAMPLES, "start=1&end=12");
    is(RequestKind.EXPORTS, "/api/v1/data", "channel=A&from=1&to=1");
  }

  @Test
  void aggregatesAreNoExports() {
    is(RequestKind.TRENDS, DATA, "pv=optimized_5760(A)&from=1&to=2");
    is(RequestKind.TRENDS, SAMPLES, "start=1&end=2&count=800");
    is(RequestKind.TRENDS, "/api/v1/trend", "channel=A");
    is(RequestKind.PAGES, "/", null);
    is(RequestKind.FREE, "/health", null);
    is(RequestKind.STREAMS, "/api/v1/live", "channel=A");
  }
}
