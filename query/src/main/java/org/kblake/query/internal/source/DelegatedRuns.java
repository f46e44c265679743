package org.kblake.query.internal.source;

import java.io.IOException;
import org.kblake.core.columns.EventColumns;

/** Runs that another source brings: as they are, except for what a subclass overrides. */
abstract class DelegatedRuns implements EventRuns {

  /** The source that has the run. */
  abstract EventRuns source();

  @Override
  public EventColumns columns() {
    return source().columns();
  }

  @Override
  public int from() {
    return source().from();
  }

  @Override
  public int to() {
    return source().to();
  }

  @Override
  public int channel() {
    return source().channel();
  }

  @Override
  public int group() {
    return source().group();
  }

  @Override
  public long orderKey(int row) throws IOException {
    return source().orderKey(row);
  }
}
