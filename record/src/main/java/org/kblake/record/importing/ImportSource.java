package org.kblake.record.importing;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of channels of another archive, in order: the same archive gives the same order again.
 * For one thread, which closes it.
 */
public interface ImportSource extends Closeable {

  /** Returns the channels. The numbers of events are places in this list. */
  List<SourceChannel> channels();

  /**
   * Returns the next event, or null at the end. Its {@link SourceEvent#orderNanos} is at least that
   * of the event before it.
   *
   * @throws IOException if the archive cannot be read; what is damaged is reported and left out
   */
  @Nullable SourceEvent next() throws IOException;

  /** Returns the work done so far, in the unit of the source's total. */
  long work();
}
