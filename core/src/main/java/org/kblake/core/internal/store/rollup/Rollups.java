package org.kblake.core.internal.store.rollup;

import java.util.List;
import org.kblake.core.model.ValueType;

/** What the writer and the readers of rollups share. */
public final class Rollups {

  /** The name of the file in a block's directory. */
  public static final String FILE_NAME = "rollup.parquet";

  /** The version of the file. A reader ignores files of another version. */
  static final int VERSION = 1;

  private static final long SECOND = 1_000_000_000L;

  /** The width of the finest rows, nanoseconds. */
  static final long BASE = 300 * SECOND;

  /** The width of the coarsest rows, nanoseconds. */
  static final long WIDEST = 3600 * SECOND;

  /**
   * The widths in nanoseconds, the widest first. Each divides the one before it, and the finest is
   * {@link #BASE}.
   */
  public static final List<Long> WIDTHS = List.of(WIDEST, BASE);

  /** The largest number of rows of a page. */
  static final int PAGE_ROWS = 4096;

  private Rollups() {}

  /** Returns whether channels of a type have rollups. */
  public static boolean isOf(ValueType type, boolean waveform) {
    return !waveform && type != ValueType.STRING && type != ValueType.ENUM;
  }

  /** Returns whether a series with so many events in a block may have rollups. */
  public static boolean mayKeep(long events) {
    return RollupLimits.present().keeps(1, events);
  }

  /** Returns whether a block whose events take so many bytes may have rollups. */
  public static boolean mayFit(long eventBytes) {
    return RollupWriter.FOOTER_BYTES <= RollupLimits.present().share() * eventBytes;
  }

  static int seconds(long widthNanos) {
    return (int) (widthNanos / SECOND);
  }

  static long nanos(int seconds) {
    return seconds * SECOND;
  }
}
