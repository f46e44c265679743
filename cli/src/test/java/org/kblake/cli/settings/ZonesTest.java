package org.kblake.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import org.junit.jupiter.api.Test;

class ZonesTest {

  /** Therefore a fixed offset gives the same times. */
  @Test
  void tokyoHasOneOffsetSinceBeforeTheFirstEvent() {
    ZoneRules rules = ZoneId.of(Zones.TOKYO).getRules();
    Instant epics = Instant.parse("1990-01-01T00:00:00Z");
    assertThat(rules.nextTransition(epics)).isNull();
    assertThat(rules.getTransitionRules()).isEmpty();
    assertThat(rules.getOffset(epics)).isEqualTo(ZoneOffset.ofHours(9));
  }

  @Test
  void otherZonesAreThoseOfTheJdk() {
    assertThat(Zones.of("Europe/Zurich")).isEqualTo(ZoneId.of("Europe/Zurich"));
  }
}
