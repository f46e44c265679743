package org.kblake.cli.command.status;

import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The orders of groups in the report. Groups that are equal in an order keep the archive's. */
enum GroupSort {
  WORST,
  NAME,
  AGE,
  LAG,
  SIZE,
  COLUMNS;

  private static final Comparator<GroupRow> OLDEST =
      Comparator.comparingLong(row -> -known(row.ageSeconds()));

  Comparator<GroupRow> order() {
    return switch (this) {
      case WORST -> Comparator.comparing(GroupRow::severity).reversed().thenComparing(OLDEST);
      case NAME -> Comparator.comparing(row -> row.status().group().toString());
      case AGE -> OLDEST;
      case LAG -> Comparator.comparingLong(row -> -known(row.status().lagNanos()));
      case SIZE -> Comparator.comparingLong(row -> -row.status().rawBytes());
      case COLUMNS -> Comparator.comparingDouble(row -> share(row.status().coverage()));
    };
  }

  private static long known(@Nullable Long number) {
    return number == null ? -1 : number;
  }

  private static double share(@Nullable Double share) {
    return share == null ? -1 : share;
  }

  /** Returns the name for the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
