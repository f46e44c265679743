package org.kblake.benchmarks.jparc;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.kblake.core.model.TimeRange;

/** A day of a channel, which a read requests. */
record RequestedDay(int channel, TimeRange day) {

  /** Returns random days of random channels. */
  static List<RequestedDay> random(SimulatedDays data, int count, SplittableRandom random) {
    List<RequestedDay> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chosen.add(
          new RequestedDay(random.nextInt(data.channels()), data.day(random.nextInt(data.days()))));
    }
    return chosen;
  }

  /** Returns each day of each channel, up to a number of days. */
  static List<RequestedDay> all(SimulatedDays data, int days) {
    List<RequestedDay> all = new ArrayList<>();
    for (int channel = 0; channel < data.channels(); channel++) {
      for (int day = 0; day < days; day++) {
        all.add(new RequestedDay(channel, data.day(day)));
      }
    }
    return all;
  }
}
