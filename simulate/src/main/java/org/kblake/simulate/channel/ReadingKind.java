package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.Intervals;
import org.kblake.simulate.machine.MachineQuantity;

/**
 * A quantity read by an ADC: counts times a calibration, with noise, posted when it has left its
 * dead-band.
 *
 * @param type a double or float holds the calibrated value, integers the counts
 * @param adcBits width of the converter
 * @param range calibrated value at full scale
 * @param sigma noise, in counts
 * @param deadband counts by which successive events differ at least; 0 posts every scan
 * @param quantity what the level follows
 * @param swing how far, in counts, the level follows the quantity from 0 to 1
 * @param origin where the level is when the quantity is 0
 * @param nominalShare of the channels whose calibration is the converter's nominal one: counts
 *     times range / 2^adcBits; the others have their own gain and offset
 * @param calculated whether the value is the result of a calculation, with all the bits of a
 *     double, not a whole number of counts
 */
public record ReadingKind(
    String label,
    ValueType type,
    Intervals intervals,
    int adcBits,
    double range,
    double sigma,
    int deadband,
    MachineQuantity quantity,
    double swing,
    Origin origin,
    double nominalShare,
    boolean calculated)
    implements SignalKind {

  /** Where a reading is when nothing drives it. */
  enum Origin {
    /** Each channel has its own level. */
    ANYWHERE,
    /** Just above zero counts, where noise does not reach the stop; all channels swing alike. */
    ZERO
  }

  /** A double of a 12-bit converter with one count of noise, posted at every scan. */
  static ReadingKind of(String label, Intervals intervals) {
    return new ReadingKind(
        label,
        ValueType.DOUBLE,
        intervals,
        12,
        1,
        1,
        0,
        MachineQuantity.STEADY,
        0,
        Origin.ANYWHERE,
        0,
        false);
  }

  ReadingKind type(ValueType type) {
    return with(type, adcBits, range, sigma, deadband, quantity, swing, origin, nominalShare);
  }

  ReadingKind adc(int adcBits, double range) {
    return with(type, adcBits, range, sigma, deadband, quantity, swing, origin, nominalShare);
  }

  ReadingKind noise(double sigma, int deadband) {
    return with(type, adcBits, range, sigma, deadband, quantity, swing, origin, nominalShare);
  }

  ReadingKind follows(MachineQuantity quantity, double swing) {
    return with(type, adcBits, range, sigma, deadband, quantity, swing, origin, nominalShare);
  }

  ReadingKind fromZero() {
    return with(type, adcBits, range, sigma, deadband, quantity, swing, Origin.ZERO, nominalShare);
  }

  ReadingKind nominal(double share) {
    return with(type, adcBits, range, sigma, deadband, quantity, swing, origin, share);
  }

  ReadingKind asCalculation() {
    return new ReadingKind(
        label,
        type,
        intervals,
        adcBits,
        range,
        sigma,
        deadband,
        quantity,
        swing,
        origin,
        nominalShare,
        true);
  }

  private ReadingKind with(
      ValueType type,
      int adcBits,
      double range,
      double sigma,
      int deadband,
      MachineQuantity quantity,
      double swing,
      Origin origin,
      double nominalShare) {
    return new ReadingKind(
        label,
        type,
        intervals,
        adcBits,
        range,
        sigma,
        deadband,
        quantity,
        swing,
        origin,
        nominalShare,
        calculated);
  }

  @Override
  public double eventsPerSecond() {
    return 1 / intervals.meanSeconds();
  }

  @Override
  public Signal create(int ordinal, long seed) {
    return calculated ? new Calculation(this, ordinal, seed) : new Reading(this, ordinal, seed);
  }
}
