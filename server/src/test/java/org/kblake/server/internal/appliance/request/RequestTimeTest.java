package org.kblake.server.internal.appliance.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.server.internal.http.HttpStatusException;

/** The times that clients send, and texts that are no times. */
final class RequestTimeTest {

  private static final long NINE = 1_716_195_600_000_000_000L;

  @Test
  void timesHaveUpToNineDigitsAndAZoneOrAnOffset() {
    assertThat(RequestTime.nanos("at", "2024-05-20T09:00:00Z")).isEqualTo(NINE);
    assertThat(RequestTime.nanos("at", "2024-05-20T09:00Z")).isEqualTo(NINE);
    assertThat(RequestTime.nanos("at", "2024-05-20T09:00:00.5Z")).isEqualTo(NINE + 500_000_000);
    assertThat(RequestTime.nanos("at", "2024-05-20T09:00:00.000000001Z")).isEqualTo(NINE + 1);
    assertThat(RequestTime.nanos("at", "2024-05-20T18:00:00.000+09:00")).isEqualTo(NINE);
    assertThat(RequestTime.nanos("at", "2024-05-20T18:00:00+0900")).isEqualTo(NINE);
    assertThat(RequestTime.nanos("at", "2024-05-20T05:30:00-03:30")).isEqualTo(NINE);
    // A client that does not encode the plus sign.
    assertThat(RequestTime.nanos("at", "2024-05-20T18:00:00 09:00")).isEqualTo(NINE);
  }

  @Test
  void otherTextsAreRefused() {
    for (String text :
        List.of(
            "",
            "now",
            "1716195600",
            "2024-05-20",
            "2024-05-20T09:00:00",
            "2024-13-20T09:00:00Z",
            "2024-02-30T09:00:00Z",
            "2024-05-20T25:00:00Z",
            "2024-05-20T09:00:60Z",
            "2024-05-20T09:00:00.0000000001Z",
            "2024-05-20T09:00:00.Z",
            "2024-05-20T09:00:00ZZ",
            "2024-05-20 09:00:00Z",
            "9999-01-01T00:00:00Z",
            "0001-01-01T00:00:00Z",
            "+999999999-01-01T00:00:00Z",
            "x".repeat(100_000))) {
      assertThatThrownBy(() -> RequestTime.nanos("at", text))
          .as(text)
          .isInstanceOfSatisfying(
              HttpStatusException.class, e -> assertThat(e.status()).isEqualTo(400))
          .hasMessageStartingWith("wrong parameter at: ")
          .hasMessageMatching("(?s).{10,300}");
    }
  }

  @Test
  void theRangeHasDefaults() {
    Instant now = Instant.parse("2024-05-20T08:00:00Z");
    long day = 86_400_000_000_000L;
    assertThat(RequestRange.of(QueryParameters.parse(null), now))
        .isEqualTo(new RequestRange(NINE - day, NINE));
    assertThat(RequestRange.of(QueryParameters.parse("from=2024-05-20T08:30:00Z&to="), now))
        .isEqualTo(new RequestRange(NINE - day / 48, NINE));
    assertThatThrownBy(
            () -> RequestRange.of(QueryParameters.parse("from=2024-05-21T00:00:00Z"), now))
        .hasMessage("wrong parameter to: it is earlier than from");
  }
}
