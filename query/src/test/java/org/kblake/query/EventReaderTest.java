package org.kblake.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.arrow.EventSchema;
import org.kblake.query.internal.engine.EventAnswer;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.source.EventRows;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

final class EventReaderTest {

  /** The limits of memory grow by no more than the size of the smallest dictionary. */
  private static final int STEP_BYTES = 64;

  private static final List<String> NAMES = List.of("RFKLY:A1:PF", "RFKLY:A1:PB", "RFKLY:B7:PHASE");
  private static final List<Group> GROUPS = List.of(new Group("RF", "A"), new Group("VA", "CCG"));

  /** There is not enough memory for a dictionary at first. Then there is. */
  @Test
  void dictionariesAreMadeAgainIfThereWasNotEnoughMemory() throws IOException {
    // The memory in use after the error is that of the dictionaries that were made.
    TreeSet<Long> used = new TreeSet<>();
    boolean enough = false;
    for (long limit = 0; !enough; limit += STEP_BYTES) {
      try (RootAllocator memory = new RootAllocator(limit);
          EventReader reader = reader(memory)) {
        try {
          reader.vectors();
          enough = true;
        } catch (OutOfMemoryException e) {
          long bytes = memory.getAllocatedMemory();
          used.add(bytes);
          assertThatThrownBy(reader::vectors).isInstanceOf(OutOfMemoryException.class);
          assertThat(memory.getAllocatedMemory()).isEqualTo(bytes);
          memory.setLimit(Long.MAX_VALUE);
        }
        assertThat(dictionary(reader, EventSchema.CHANNEL_DICTIONARY)).isEqualTo(NAMES);
        assertThat(dictionary(reader, EventSchema.GROUP_DICTIONARY))
            .isEqualTo(GROUPS.stream().map(Group::toString).toList());
      }
    }
    assertThat(used).as("errors in the first and in the second dictionary").hasSize(2);
  }

  private static List<String> dictionary(EventReader reader, long id) {
    FieldVector vector = Objects.requireNonNull(reader.lookup(id)).getVector();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < vector.getValueCount(); i++) {
      names.add(String.valueOf(vector.getObject(i)));
    }
    return names;
  }

  private static EventReader reader(RootAllocator memory) {
    List<Channel> channels = new ArrayList<>();
    for (Group group : GROUPS) {
      NAMES.forEach(name -> channels.add(new Channel(group, name)));
    }
    EventRows none =
        new EventRows() {
          @Override
          public boolean next() {
            return false;
          }

          @Override
          public void close() {}
        };
    return new EventReader(
        memory.newChildAllocator("reader", 0, Long.MAX_VALUE),
        new EventAnswer(
            EventQuery.of(ChannelSelection.names("any")),
            new ChannelResolution(channels, GROUPS, NAMES, Map.of(), List.of()),
            Set.of(),
            none,
            () -> new CoverageReport(TimeRange.ALL, List.of(), 0, 0, List.of()),
            List.of()),
        () -> {});
  }
}
