package org.kblake.query.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.query.internal.fixture.SmallArchive.GROUP;
import static org.kblake.query.internal.fixture.SmallArchive.MINUTE;
import static org.kblake.query.internal.fixture.SmallArchive.range;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.TimeMask;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.IntervalQuery;
import org.kblake.query.question.Scope;
import org.kblake.query.question.Source;
import org.kblake.query.question.TrendQuery;
import org.kblake.query.question.ValueCondition;

/** The question about the known times, from which intervals are found. */
final class IntervalsAnswerTest {

  @Test
  void knownTimesAreThoseOfTheWholeRange() {
    Scope scope =
        Scope.of(ChannelSelection.names("A").in(GROUP))
            .between(range(60, 120))
            .from(Source.RAW)
            .lookBack(Duration.ofHours(1));
    IntervalQuery query =
        new IntervalQuery(
            scope.within(TimeMask.of(List.of(range(70, 80)))),
            ValueCondition.of(">", 1),
            10 * MINUTE);
    TrendQuery times = IntervalsAnswer.times(query);
    assertThat(times.scope()).isEqualTo(scope.between(range(50, 130)).allowIncomplete());
    assertThat(times.stepNanos()).isEqualTo(80 * MINUTE);
    assertThat(times.aggregates()).containsExactly(Aggregate.KNOWN);
  }
}
