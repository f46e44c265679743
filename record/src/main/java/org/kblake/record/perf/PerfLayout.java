package org.kblake.record.perf;

import java.nio.ByteBuffer;

/**
 * Where the fields of samples are, as {@code perf_event_attr} says (perf_event_open(2)). All fields
 * have 8 bytes. Records other than samples end with some of the same fields.
 */
final class PerfLayout {

  private static final int HEADER = 8;
  private static final int FIELD = 8;
  private static final int SAMPLE_TYPE_OFFSET = HEADER + 24;
  private static final int READ_FORMAT_OFFSET = HEADER + 32;
  private static final int LEAST_ATTRIBUTE = HEADER + 48;

  private static final int IP = 1;
  private static final int TID = 1 << 1;
  private static final int TIME = 1 << 2;
  private static final int ADDRESS = 1 << 3;
  private static final int READ = 1 << 4;
  private static final int ID = 1 << 6;
  private static final int CPU = 1 << 7;
  private static final int PERIOD = 1 << 8;
  private static final int STREAM_ID = 1 << 9;
  private static final int IDENTIFIER = 1 << 16;
  private static final int NEEDED = IP | TID | TIME | CPU;

  private static final int READ_ENABLED = 1;
  private static final int READ_RUNNING = 1 << 1;
  private static final int READ_ID = 1 << 2;
  private static final int READ_GROUP = 1 << 3;
  private static final int READ_LOST = 1 << 4;

  private final long sampleType;
  private final long readFormat;

  private PerfLayout(long sampleType, long readFormat) {
    this.sampleType = sampleType;
    this.readFormat = readFormat;
  }

  /**
   * Returns the layout that a record PERF_RECORD_HEADER_ATTR describes.
   *
   * @throws MalformedPerfException if samples lack time, thread, address or core
   */
  static PerfLayout of(ByteBuffer bytes, int at, int size) throws MalformedPerfException {
    if (size < LEAST_ATTRIBUTE) {
      throw new MalformedPerfException("an attribute of perf is too short: bytes=" + size);
    }
    long sampleType = bytes.getLong(at + SAMPLE_TYPE_OFFSET);
    if ((sampleType & NEEDED) != NEEDED) {
      throw new MalformedPerfException(
          "samples of perf lack fields: sample_type=0x" + Long.toHexString(sampleType));
    }
    return new PerfLayout(sampleType, bytes.getLong(at + READ_FORMAT_OFFSET));
  }

  private int fields(int mask) {
    return FIELD * Long.bitCount(sampleType & mask);
  }

  /** Returns the offset of a field; fields before it are those of the mask. */
  private int offset(int before) {
    return HEADER + fields(before);
  }

  /**
   * Reads a sample.
   *
   * @param at where the record begins
   * @throws MalformedPerfException if the record is too short
   */
  void read(ByteBuffer bytes, int at, int size, PerfSample sample) throws MalformedPerfException {
    int counts = offset(IDENTIFIER | IP | TID | TIME | ADDRESS | ID | STREAM_ID | CPU | PERIOD);
    if (size < counts) {
      throw new MalformedPerfException("a sample of perf is too short: bytes=" + size);
    }
    int tid = at + offset(IDENTIFIER | IP);
    sample.address = bytes.getLong(at + offset(IDENTIFIER));
    sample.pid = bytes.getInt(tid);
    sample.tid = bytes.getInt(tid + 4);
    sample.monotonicNanos = bytes.getLong(tid + FIELD);
    sample.core =
        bytes.getInt(at + offset(IDENTIFIER | IP | TID | TIME | ADDRESS | ID | STREAM_ID));
    readCounts(bytes, at + counts, at + size, sample);
  }

  /** Reads the counts of a group: the first one is that of the clock, which is left out. */
  private void readCounts(ByteBuffer bytes, int at, int end, PerfSample sample)
      throws MalformedPerfException {
    if ((sampleType & READ) == 0 || (readFormat & READ_GROUP) == 0) {
      return;
    }
    int first = at + FIELD + FIELD * Long.bitCount(readFormat & (READ_ENABLED | READ_RUNNING));
    int stride = FIELD + FIELD * Long.bitCount(readFormat & (READ_ID | READ_LOST));
    long members = end < first ? -1 : bytes.getLong(at);
    if (members < 1 || members > (end - first) / stride) {
      throw new MalformedPerfException("a sample of perf lacks counts: counts=" + members);
    }
    if (sample.counts.length != members - 1) {
      sample.counts = new long[(int) members - 1];
    }
    for (int i = 1; i < members; i++) {
      sample.counts[i - 1] = bytes.getLong(first + i * stride);
    }
  }

  /** Returns the core that a record other than a sample names at its end. */
  int core(ByteBuffer bytes, int at, int size) {
    int before = FIELD + fields(IDENTIFIER);
    return size < HEADER + before ? PerfHandler.UNKNOWN_CORE : bytes.getInt(at + size - before);
  }
}
