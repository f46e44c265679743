package org.kblake.record.pvaccess;

/**
 * What only PV Access counts, since the source was created.
 *
 * @param droppedByServer updates whose server says that it overwrote others before; servers need
 *     not say it, so 0 proves nothing
 * @param inexactIntegers integers that no double holds exactly: the nearest one is recorded
 * @param cutStrings strings that are recorded without their end
 */
public record PvAccessCounts(long droppedByServer, long inexactIntegers, long cutStrings) {}
