package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.PackedStatus;
import org.kblake.simulate.machine.SplitMix;

/**
 * The state of a device: one of a few choices, the last of which is a fault and raises an alarm.
 *
 * @param choices the number of choices, at least 2
 * @param meanSeconds the mean time between changes; a fault lasts a tenth of it on average
 * @param faultShare the fraction of changes that lead to the fault
 */
public record ChoiceKind(
    String label, ValueType type, int choices, double meanSeconds, double faultShare)
    implements SignalKind {

  @Override
  public double eventsPerSecond() {
    return (1 + faultShare) / ((1 + 0.1 * faultShare) * meanSeconds);
  }

  @Override
  public Signal create(int ordinal, long seed) {
    SplitMix own = new SplitMix(SplitMix.derive(seed, "choice"));
    int fault = choices - 1;
    int first = own.below(fault);
    return new Switching(ordinal, seed) {

      private int choice = first;

      @Override
      void change() {
        if (choice == fault) {
          choice = first;
        } else if (fault == 1 || SplitMix.unit(next()) < faultShare) {
          choice = fault;
        } else {
          choice = (choice + 1 + (int) (SplitMix.unit(next()) * (fault - 1))) % fault;
        }
      }

      @Override
      long bits() {
        return choice;
      }

      @Override
      int packedStatus() {
        return choice == fault ? PackedStatus.FAULT : PackedStatus.GOOD;
      }

      @Override
      double meanSeconds() {
        return choice == fault ? meanSeconds / 10 : meanSeconds;
      }
    };
  }
}
