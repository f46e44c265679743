package org.kblake.benchmarks.jparc;

import java.util.Comparator;
import java.util.List;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Measurement;

/** The figures of an encoding and a compression. Each figure's name is the text of the files. */
record Cell(Figure size, Figure load, Figure warm, Figure cold) {

  static final String SIZE = "size";
  static final String LOAD = "load";
  static final String WARM = "read, warm";
  static final String COLD = "read, cold";

  /** Adds the figures to those of the chart. */
  void add(Measurement measurement, String group, String bar) {
    measurement.detail(SIZE, group, bar, size);
    measurement.detail(LOAD, group, bar, load);
    measurement.detail(WARM, group, bar, warm);
    measurement.detail(COLD, group, bar, cold);
  }

  static Figure smallest(List<Cell> cells) {
    return cells.stream()
        .map(Cell::size)
        .min(Comparator.comparingDouble(Figure::median))
        .orElseThrow();
  }

  static Figure fastest(List<Figure> rates) {
    return rates.stream().max(Comparator.comparingDouble(Figure::median)).orElseThrow();
  }
}
