package org.kblake.core.store.parquet;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Map;
import org.kblake.core.model.ValueType;

/**
 * Writes a Parquet file of events, row group after row group. Not thread safe. The file is complete
 * when {@link #finish} returns; forcing it to disk is the caller's, between finish and close.
 */
public final class EventFileWriter implements Closeable {

  private final WritableByteChannel out;

  /**
   * @param out where the file goes, from its present position on, which must be the file's start;
   *     closed by {@link #close}
   * @param keyValues for the footer
   */
  public EventFileWriter(
      WritableByteChannel out,
      ValueType type,
      boolean waveform,
      WriteProfile profile,
      Map<String, String> keyValues) {
    this.out = out;
  }

  /** Writes a row group. It must have been encoded for this type and profile. */
  public void append(EncodedRowGroup rowGroup) throws IOException {}

  /** Bytes written so far. */
  public long bytes() {
    return 0;
  }

  /** Writes the page index and the footer. Nothing can be appended afterwards. */
  public FileLayout finish() throws IOException {
    return new FileLayout(ValueType.DOUBLE, false, Map.of(), List.of(), 0);
  }

  /** Closes the channel. Without {@link #finish} before, the file is no Parquet file. */
  @Override
  public void close() throws IOException {
    out.close();
  }
}
