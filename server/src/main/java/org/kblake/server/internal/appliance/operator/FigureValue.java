package org.kblake.server.internal.appliance.operator;

import org.kblake.core.columns.EventColumns;
import org.kblake.server.internal.appliance.request.RequestedOperator;
import org.kblake.server.internal.appliance.sample.AnsweredSample;
import org.kblake.server.internal.appliance.sample.RowCopy;

/** The value that an operator makes of a bin's figures: a double, or a list of doubles. */
final class FigureValue {

  /** The element that has the last value. */
  private static final int LAST = 5;

  private final RequestedOperator.Kind kind;
  private final EventColumns columns;

  FigureValue(RequestedOperator.Kind kind) {
    this.kind = kind;
    columns = kind.numbers() > 1 ? RowCopy.numbers(kind.numbers()) : RowCopy.number();
  }

  /** Sets the value and the severity of a sample, which keeps its time. */
  void fill(AnsweredSample sample, Figures figures) {
    if (columns.waveform()) {
      set(0, figures.mean);
      set(1, figures.deviation);
      set(2, figures.min);
      set(3, figures.max);
      set(4, (double) figures.count);
      if (kind == RequestedOperator.Kind.OPTIMIZED_WITH_LAST) {
        set(LAST, figures.last);
      }
    } else {
      set(0, number(figures));
    }
    columns.severity[0] = (byte) figures.severity;
    sample.set(sample.timeNanos(), columns, 0);
    if (columns.waveform()) {
      sample.setBin();
    }
  }

  /** Makes the sample of a bin with events that of an empty bin after it. */
  static void empty(RequestedOperator.Kind kind, AnsweredSample sample) {
    Figures figures = new Figures();
    if (kind == RequestedOperator.Kind.COUNT) {
      new FigureValue(kind).fill(sample, figures);
    } else if (kind == RequestedOperator.Kind.OPTIMIZED_WITH_LAST) {
      EventColumns before = sample.columns();
      figures.setSingle(Double.longBitsToDouble(before.values[LAST]), before.severity[0]);
      figures.count = 0;
      new FigureValue(kind).fill(sample, figures);
    }
    // With any other operator an empty bin has the value of the bin before it.
  }

  private void set(int element, double number) {
    columns.values[element] = Double.doubleToRawLongBits(number);
  }

  private double number(Figures figures) {
    double variance = figures.deviation * figures.deviation;
    return switch (kind) {
      case MEAN -> figures.mean;
      case MIN -> figures.min;
      case MAX -> figures.max;
      case COUNT -> figures.count;
      case MEDIAN -> figures.median;
      case STD -> figures.deviation;
      case VARIANCE -> variance;
      case POPULATION_VARIANCE ->
          figures.count == 0 ? Double.NaN : variance / figures.count * (figures.count - 1);
      case JITTER -> figures.deviation / figures.mean;
      case KURTOSIS -> figures.kurtosis;
      case SKEWNESS -> figures.skewness;
      default -> throw new IllegalStateException("not a number: " + kind);
    };
  }
}
