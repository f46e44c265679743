package org.kblake.benchmarks;

import java.io.IOException;
import org.kblake.core.internal.log.pair.PairLog;

/** Opens the log of the scan benchmarks, for benchmarks in other packages. */
public final class RfYearLog {

  private RfYearLog() {}

  /** Opens the last pair of rf-year. */
  public static PairLog open() throws IOException {
    return BenchmarkData.rfYearPair();
  }
}
