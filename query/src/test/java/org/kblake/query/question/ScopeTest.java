package org.kblake.query.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;

/** Scopes of questions. */
final class ScopeTest {

  private static final long SECOND = 1_000_000_000L;
  private static final TimeRange RANGE = new TimeRange(10 * SECOND, 20 * SECOND);
  private static final Scope SCOPE = Scope.of(ChannelSelection.names("A")).between(RANGE);

  /** Returns scopes that differ in one setting from {@link #SCOPE}. */
  private static List<Scope> changed() {
    return List.of(
        Scope.of(ChannelSelection.names("B")).between(RANGE),
        SCOPE.at(10 * SECOND),
        SCOPE.from(Source.RAW),
        SCOPE.lookBack(Duration.ofHours(2)),
        SCOPE.allowIncomplete(),
        SCOPE.within(TimeMask.of(List.of(RANGE))));
  }

  @Test
  void searchBeginsEarlierByTheLookBack() {
    Scope scope = SCOPE.lookBackNanos(3 * SECOND).from(Source.RAW).allowIncomplete();
    assertThat(scope.searched()).isEqualTo(new TimeRange(7 * SECOND, 20 * SECOND));
    assertThat(scope.widened()).isEqualTo(scope.between(scope.searched()).lookBackNanos(0));
  }

  @Test
  void searchBeginsWithTheFirstInstantIfTheLookBackIsLonger() {
    TimeRange early = new TimeRange(Long.MIN_VALUE + 1, 0);
    assertThat(SCOPE.between(early).searched()).isEqualTo(new TimeRange(Long.MIN_VALUE, 0));
    assertThat(SCOPE.between(TimeRange.ALL).widened().range()).isEqualTo(TimeRange.ALL);
    assertThat(SCOPE.at(-2).lookBack(HeldQuery.UNLIMITED_LOOK_BACK).searched())
        .isEqualTo(new TimeRange(Long.MIN_VALUE, -1));
  }

  @Test
  void lookBackIsNotNegative() {
    assertThatThrownBy(() -> SCOPE.lookBackNanos(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("look-back is negative: nanos=-1");
  }

  /** A copy has all settings of the scope except the one that it changes. */
  @Test
  void copyKeepsTheOtherSettings() {
    TimeMask mask = TimeMask.of(List.of(new TimeRange(1, 2)));
    Scope all = SCOPE.from(Source.STORE).lookBackNanos(5).allowIncomplete().within(mask);
    Scope copy = all.between(TimeRange.ALL).between(RANGE);
    assertThat(copy).isNotSameAs(all).isEqualTo(all);
    assertThat(copy.channels()).isEqualTo(ChannelSelection.names("A"));
    assertThat(copy.range()).isEqualTo(RANGE);
    assertThat(copy.source()).isEqualTo(Source.STORE);
    assertThat(copy.lookBackNanos()).isEqualTo(5);
    assertThat(copy.allowsIncomplete()).isTrue();
    assertThat(copy.mask()).isEqualTo(mask);
  }

  /** Questions are compared by their scopes. */
  @Test
  void scopesAreEqualIfAllSettingsAre() {
    List<Scope> all = new ArrayList<>(changed());
    all.add(SCOPE);
    assertThat(all).doesNotHaveDuplicates();
    List<Scope> same = new ArrayList<>(changed());
    same.add(Scope.of(ChannelSelection.names("A")).between(RANGE));
    assertThat(all).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(new HeldQuery(SCOPE)).isEqualTo(new HeldQuery(same.get(same.size() - 1)));
  }

  @Test
  void textHasWhatIsNotUsual() {
    String usual = "A from 1970-01-01T00:00:10Z to 1970-01-01T00:00:20Z";
    assertThat(SCOPE).hasToString(usual);
    assertThat(changed().subList(2, 6))
        .extracting(Scope::toString)
        .containsExactly(
            usual + ", source RAW",
            usual + ", look-back PT2H",
            usual + ", may be incomplete",
            usual + ", within 1 ranges from 10000000000 to 20000000000");
  }

  /** Errors name a question by its channels and times. */
  @Test
  void textOfAQuestionHasChannelsAndTimes() {
    Scope scope = changed().get(3).from(Source.RAW);
    String text = "A from 1970-01-01T00:00:10Z to 1970-01-01T00:00:20Z";
    assertThat(EventQuery.of(SCOPE.channels()).with(scope)).hasToString(text);
    assertThat(new TrendQuery(scope, SECOND, List.of(Aggregate.COUNT)))
        .hasToString(text + " every PT1S [count]");
  }
}
