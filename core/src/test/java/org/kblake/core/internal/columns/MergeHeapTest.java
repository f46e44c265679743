package org.kblake.core.internal.columns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MergeHeapTest {

  /** The rows have few different keys, so segments and times are often equal. */
  private static final Comparator<Row> ORDER =
      Comparator.comparingInt(Row::segment)
          .thenComparingLong(Row::nanos)
          .thenComparingInt(Row::tie);

  private record Row(int segment, long nanos, int tie) {}

  private static final class Rows extends MergeHeap.Source {
    private final List<Row> rows;
    private int next;

    Rows(List<Row> rows) {
      this.rows = rows;
    }

    Row row() {
      return rows.get(next - 1);
    }

    boolean advance() {
      if (next == rows.size()) {
        return false;
      }
      Row row = rows.get(next++);
      moveTo(row.segment, row.nanos, row.tie);
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 64, 1000})
  void mergesSortedSources(int sources) {
    Random random = new Random(sources);
    List<Row> all = new ArrayList<>();
    List<Rows> begun = new ArrayList<>();
    for (int i = 0; i < sources; i++) {
      List<Row> rows = new ArrayList<>();
      for (int row = 0; row <= random.nextInt(20); row++) {
        int tie = random.nextInt(8);
        rows.add(new Row(random.nextInt(3), random.nextInt(5) + Long.MIN_VALUE, tie));
      }
      rows.sort(ORDER);
      all.addAll(rows);
      Rows source = new Rows(rows);
      source.advance();
      begun.add(source);
    }
    all.sort(ORDER);
    Collections.shuffle(begun, random);

    List<Row> merged = new ArrayList<>();
    MergeHeap<Rows> heap = new MergeHeap<>(begun);
    while (!heap.isEmpty()) {
      Rows first = heap.first();
      Rows second = heap.second();
      merged.add(first.row());
      Row least =
          begun.stream()
              .filter(source -> source != first && !source.rows.isEmpty())
              .map(Rows::row)
              .min(ORDER)
              .orElse(null);
      assertThat(second == null ? null : second.row()).isEqualTo(least);
      boolean hasRow = first.advance();
      if (!hasRow) {
        begun.remove(first);
      }
      heap.firstMoved(hasRow);
    }
    assertThat(merged).isEqualTo(all);
  }

  @Test
  void isEmptyWithoutSources() {
    assertThat(new MergeHeap<Rows>(List.of()).isEmpty()).isTrue();
  }
}
