package org.kblake.transfer.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is said of groups that fail. */
class FailuresTest {

  @Test
  void theSameIsSaidAgainAfterAnHourWhateverConnectionsDo() {
    AtomicLong nanos = new AtomicLong(5);
    Failures failures = new Failures(nanos::get);
    assertThat(failures.add("VA/CCG", "full disk")).isTrue();
    failures.end("VA/CCG");
    assertThat(failures.add("VA/CCG", "full disk")).isFalse();
    failures.clear();
    assertThat(failures.now()).isEmpty();
    assertThat(failures.add("VA/CCG", "full disk")).as("another connection").isFalse();
    assertThat(failures.add("VA/CCG", "quota")).isTrue();
    nanos.addAndGet(3_600_000_000_000L);
    assertThat(failures.add("VA/CCG", "quota")).as("an hour later").isTrue();
    assertThat(failures.now()).containsOnlyKeys("VA/CCG");
  }
}
