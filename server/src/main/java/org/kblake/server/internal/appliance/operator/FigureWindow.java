package org.kblake.server.internal.appliance.operator;

import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.server.internal.appliance.request.RequestedOperator;
import org.kblake.server.internal.appliance.sample.AnsweredSample;
import org.kblake.server.internal.http.HttpStatusException;

/** Figures of the numbers of each bin, and for a median the numbers themselves. */
final class FigureWindow implements BinWindow {

  private static final int MAX_NUMBERS = 1 << 21;

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
    of.addSeverity(columns.severity[row]);
    if (Double.isNaN(number)) {
      return true;
    }
    of.add(number);
    if (kind == RequestedOperator.Kind.MEDIAN) {
      of.keep(number);
      kept++;
      return kept <= MAX_NUMBERS;
    }
    return true;
  }

  private double number(EventColumns columns, int row) {
    if (kind == RequestedOperator.Kind.COUNT
        && (columns.waveform() || columns.type() == ValueType.STRING)) {
      return 0;
    }
    if (columns.waveform() || columns.type() == ValueType.STRING) {
      throw refused(columns.waveform());
    }
    return columns.asDouble(row);
  }

  /** Returns the error of a channel without numbers. */
  static HttpStatusException refused(boolean waveform) {
    return HttpStatusException.wrong(
        "pv",
        "the operator is for numbers, and the channel has " + (waveform ? "waveforms" : "strings"));
  }

  @Override
  public boolean has(int bin) {
    return moments[bin] != null;
  }

  @Override
  public void fill(int bin, AnsweredSample sample) {
    moments[bin].write(figures);
    value.fill(sample, figures);
  }

  @Override
  public void fillWith(AnsweredSample sample, EventColumns columns, int row) {
    Figures single = new Figures();
    single.setSingle(number(columns, row), columns.severity[row]);
    value.fill(sample, single);
  }
}
