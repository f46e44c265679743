package org.kblake.server.internal.appliance.operator;

/** The figures of a bin's numbers that are not NaN. A figure that does not exist is NaN. */
final class Figures {

  /** The number of them. */
  long count;

  double mean;

  /** The standard deviation of the sample (n - 1); 0 for one number. */
  double deviation;

  double min;
  double max;
  double last;
  double median;
  double skewness;
  double kurtosis;

  /** The worst severity of the bin's events. */
  int severity;

  /** Sets the figures of a bin with one event. */
  void setSingle(double number, int newSeverity) {
    boolean exists = !Double.isNaN(number);
    count = exists ? 1 : 0;
    mean = number;
    deviation = exists ? 0 : Double.NaN;
    min = number;
    max = number;
    last = number;
    median = number;
    skewness = Double.NaN;
    kurtosis = Double.NaN;
    severity = newSeverity;
  }
}
