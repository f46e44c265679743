package org.kblake.benchmarks.jparc;

import java.util.List;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Unit;

/** The published figures of J-PARC's archiver, which stores its data in HBase. */
public final class PublishedHBase {

  private PublishedHBase() {}

  /** Returns the rate of writing on nine nodes. */
  public static Figure in() {
    return Figure.of("HBase, published, 9 nodes", Unit.THOUSANDS_PER_SECOND, List.of(210.0, 265.0));
  }

  /** Returns the rate of reading on nine nodes. */
  public static Figure out() {
    return Figure.of("HBase, published, 9 nodes", Unit.THOUSANDS_PER_SECOND, 600);
  }

  /** Returns the bytes of a value at regular times. */
  public static Figure size() {
    return Figure.of(
        "HBase FAST_DIFF + GZ, published, another machine", Unit.BYTES_PER_EVENT, 10.9);
  }
}
