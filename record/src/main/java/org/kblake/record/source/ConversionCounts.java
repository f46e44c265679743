package org.kblake.record.source;

/**
 * Values that are recorded otherwise than servers sent them, since the source was created.
 *
 * @param inexactIntegers integers that no double holds exactly: the nearest one is recorded
 * @param cutStrings strings that are recorded without their end
 */
public record ConversionCounts(long inexactIntegers, long cutStrings) {

  static final ConversionCounts NONE = new ConversionCounts(0, 0);

  ConversionCounts and(ConversionCounts other) {
    return new ConversionCounts(
        inexactIntegers + other.inexactIntegers, cutStrings + other.cutStrings);
  }
}
