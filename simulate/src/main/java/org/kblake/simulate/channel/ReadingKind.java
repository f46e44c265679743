package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.MachineQuantity;
import org.kblake.simulate.machine.ScanIntervals;

/**
 * A quantity that an ADC reads, as counts times a calibration, with noise. It is posted when it has
 * left its dead-band.
 *
 * @param type the type of values; a double or float is the calibrated value, an integer is the
 *     counts
 * @param adcBits the width of the ADC in bits
 * @param range the calibrated value at full scale
 * @param sigma the noise in counts
 * @param deadband the least difference of successive events in counts; with 0 every scan posts
 * @param quantity the quantity of the machine that the level follows
 * @param swing the change of the level, in counts, when the quantity changes from 0 to 1
 * @param origin the level when the quantity is 0
 * @param nominalShare the fraction of channels with the nominal calibration of the ADC, counts
 *     times range / 2^adcBits; other channels have their own gain and offset
 * @param calculated whether the value is the result of a calculation, with all bits of a double,
 *     instead of a whole number of counts
 */
public record ReadingKind(
    String label,
    ValueType type,
    ScanIntervals intervals,
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

  /** The level of a reading when its quantity is 0. */
  enum Origin {
    /** Each channel has its own level. */
    ANYWHERE,
    /**
     * The level is just above zero counts, so that noise does not reach zero. All channels have the
     * same swing.
     */
    ZERO
  }

  /** Returns a kind of doubles from a 12-bit ADC with one count of noise, posted at every scan. */
  static ReadingKind of(String label, ScanIntervals intervals) {
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
  public boolean isSteady() {
    return quantity == MachineQuantity.STEADY && !calculated;
  }

  @Override
  public Signal create(int ordinal, long seed) {
    return calculated ? new Calculation(this, ordinal, seed) : new AdcReading(this, ordinal, seed);
  }
}
