package org.kblake.record.perf;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Writes a stream as perf does (tools/perf/Documentation/perf.data-file-format.txt, and
 * perf_event_open(2)), with times of this moment.
 */
public final class PerfStream {

  /** IP, TID, TIME and CPU. */
  private static final long SAMPLE_TYPE = 0x87;

  private static final int ATTRIBUTE_BYTES = 136;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private long nanos = System.nanoTime();

  public PerfStream() {
    out.writeBytes("PERFILE2".getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(buffer(8).putLong(16).array());
    attribute(SAMPLE_TYPE);
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer begin(int type, int bytes) {
    return buffer(bytes).putInt(type).putShort((short) 0).putShort((short) bytes);
  }

  private void end(ByteBuffer record) {
    byte[] bytes = new byte[record.capacity()];
    record.get(0, bytes);
    out.writeBytes(bytes);
  }

  private void attribute(long sampleType) {
    ByteBuffer record = begin(64, 8 + ATTRIBUTE_BYTES);
    record.putInt(1).putInt(ATTRIBUTE_BYTES).putLong(0).putLong(1_000_000).putLong(sampleType);
    end(record);
  }

  /** Writes samples, 100 us apart. */
  public PerfStream samples(int number, int core, int tid, long address) {
    for (int i = 0; i < number; i++) {
      nanos += 100_000;
      ByteBuffer record = begin(9, 40).putLong(address + i).putInt(7).putInt(tid);
      end(record.putLong(nanos).putInt(core).putInt(0));
    }
    return this;
  }

  /** Writes a record PERF_RECORD_LOST. */
  public PerfStream lost(int core, long samples) {
    ByteBuffer record = begin(2, 48).putLong(1).putLong(samples).putInt(7).putInt(7);
    end(record.putLong(nanos).putInt(core).putInt(0));
    return this;
  }

  /** Writes a record of a type and a size, full of zeros. */
  PerfStream record(int type, int bytes) {
    end(begin(type, bytes));
    return this;
  }

  PerfStream bytes(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  public byte[] toBytes() {
    return out.toByteArray();
  }
}
