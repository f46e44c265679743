package org.kblake.server.internal.appliance.operator;

import java.util.Arrays;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.server.internal.appliance.request.RequestedOperator;
import org.kblake.server.internal.appliance.sample.Sample;
import org.kblake.server.internal.http.RequestException;

/** Figures of the numbers of each bin, and for a median the numbers themselves. */
final class FigureWindow implements BinWindow {

  private static final int MOST_NUMBERS = 1 << 21;

  private final RequestedOperator.Kind kind;
  private final FigureValue value;
  private final Figures figures = new Figures();

  private Moments[] moments = new Moments[0];
  private int kept;

  FigureWindow(RequestedOperator.Kind kind) {
    this.kind = kind;
    value = new FigureValue(kind);
  }

  @Override
  public void clear(int bins) {
    moments = new Moments[bins];
    kept = 0;
  }

  @Override
  public boolean add(int bin, EventColumns columns, int row) {
    double number = number(columns, row);
    Moments of = moments[bin];
    if (of == null) {
      of = new Moments();
      moments[bin] = of;
    }
    of.severity = Math.max(of.severity, columns.severity[row]);
    if (Double.isNaN(number)) {
      return true;
    }
    of.add(number);
    if (kind == RequestedOperator.Kind.MEDIAN) {
      of.keep(number);
      kept++;
      return kept <= MOST_NUMBERS;
    }
    return true;
  }

  private double number(EventColumns columns, int row) {
    if (kind == RequestedOperator.Kind.COUNT
        && (columns.waveform() || columns.type() == ValueType.STRING)) {
      return 0;
    }
    if (columns.waveform() || columns.type() == ValueType.STRING) {
      throw RequestException.wrong(
          "pv",
          "the operator is for numbers, and the channel has "
              + (columns.waveform() ? "waveforms" : "strings"));
    }
    return columns.asDouble(row);
  }

  @Override
  public boolean has(int bin) {
    return moments[bin] != null;
  }

  @Override
  public void fill(int bin, Sample sample) {
    moments[bin].write(figures);
    value.fill(sample, figures);
  }

  @Override
  public void fillWith(Sample sample, EventColumns columns, int row) {
    Figures single = new Figures();
    single.setSingle(number(columns, row), columns.severity[row]);
    value.fill(sample, single);
  }

  /** The moments of a bin's numbers, by the update of Welford and Pebay. */
  private static final class Moments {
    private long count;
    private double mean;
    private double m2;
    private double m3;
    private double m4;
    private double min = Double.NaN;
    private double max = Double.NaN;
    private double last = Double.NaN;
    private int severity;
    private double[] numbers = new double[0];

    void add(double number) {
      double before = count;
      count++;
      double delta = number - mean;
      double deltaN = delta / count;
      double term = delta * deltaN * before;
      double n = count;
      mean += deltaN;
      m4 +=
          term * deltaN * deltaN * (n * n - 3 * n + 3) + 6 * deltaN * deltaN * m2 - 4 * deltaN * m3;
      m3 += term * deltaN * (n - 2) - 3 * deltaN * m2;
      m2 += term;
      min = count == 1 || Double.compare(number, min) < 0 ? number : min;
      max = count == 1 || Double.compare(number, max) > 0 ? number : max;
      last = number;
    }

    void keep(double number) {
      int at = (int) count - 1;
      if (at == numbers.length) {
        numbers = Arrays.copyOf(numbers, Math.max(8, at + (at >> 1)));
      }
      numbers[at] = number;
    }

    void write(Figures to) {
      to.count = count;
      to.mean = count == 0 ? Double.NaN : mean;
      to.deviation = count == 0 ? Double.NaN : count == 1 ? 0 : Math.sqrt(m2 / (count - 1));
      to.min = min;
      to.max = max;
      to.last = last;
      to.severity = severity;
      to.skewness = skewness();
      to.kurtosis = kurtosis();
      to.median = median();
    }

    private double skewness() {
      double n = count;
      if (count < 3) {
        return Double.NaN;
      }
      double variance = m2 / (n - 1);
      return m2 == 0 ? 0 : n / ((n - 1) * (n - 2)) * m3 / (variance * Math.sqrt(variance));
    }

    private double kurtosis() {
      double n = count;
      if (count < 4) {
        return Double.NaN;
      }
      double variance = m2 / (n - 1);
      return n * (n + 1) / ((n - 1) * (n - 2) * (n - 3)) * m4 / (variance * variance)
          - 3 * (n - 1) * (n - 1) / ((n - 2) * (n - 3));
    }

    private double median() {
      if (count == 0 || numbers.length == 0) {
        return Double.NaN;
      }
      int n = (int) count;
      double[] sorted = Arrays.copyOf(numbers, n);
      Arrays.sort(sorted);
      double upper = sorted[n / 2];
      if (n % 2 == 1) {
        return upper;
      }
      double lower = sorted[n / 2 - 1];
      return lower == upper ? lower : lower + (upper - lower) / 2;
    }
  }
}
