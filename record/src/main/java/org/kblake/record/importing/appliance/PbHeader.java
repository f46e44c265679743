package org.kblake.record.importing.appliance;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.kblake.core.model.ValueType;

/**
 * The first line of a file: the message {@code PayloadInfo}.
 *
 * @param channel the channel's name
 * @param type the type of the elements
 * @param isWaveform whether values are lists
 * @param elements the number of elements that the archiver was told, at least 1
 * @param yearSeconds the begin of the year of all samples, UTC, seconds since 1970
 * @param yearEndSeconds the end of that year
 */
record PbHeader(
    String channel,
    ValueType type,
    boolean isWaveform,
    int elements,
    long yearSeconds,
    long yearEndSeconds) {

  private static final int TYPE = 1;
  private static final int NAME = 2;
  private static final int YEAR = 3;
  private static final int ELEMENTS = 4;

  private static final int WAVEFORMS = 7;
  private static final int GENERIC = 14;
  private static final int FIRST_YEAR = 1990;
  private static final int LAST_YEAR = 2126;

  private static final ValueType[] TYPES = {
    ValueType.STRING,
    ValueType.SHORT,
    ValueType.FLOAT,
    ValueType.ENUM,
    ValueType.CHAR,
    ValueType.LONG,
    ValueType.DOUBLE
  };

  /** A file of a channel whose values are structures, which no log can hold. */
  static final class GenericTypeException extends IOException {

    private static final long serialVersionUID = 1;

    private final String channel;

    GenericTypeException(String channel) {
      super("values are structures of PV Access, which no log can hold: channel=" + channel);
      this.channel = channel;
    }

    String channel() {
      return channel;
    }
  }

  /**
   * Parses a header without escapes.
   *
   * @throws MalformedSampleException if it is none
   * @throws GenericTypeException if no log can hold the channel's values
   */
  static PbHeader parse(byte[] bytes, int length) throws IOException {
    int type = -1;
    int year = -1;
    int elements = 1;
    String channel = "";
    try {
      CodedInputStream in = CodedInputStream.newInstance(bytes, 0, length);
      int tag = in.readTag();
      while (tag != 0) {
        switch (PbSample.field(tag)) {
          case TYPE -> type = PbSample.varint(in, tag);
          case NAME -> channel = in.readStringRequireUtf8();
          case YEAR -> year = PbSample.varint(in, tag);
          case ELEMENTS -> elements = PbSample.varint(in, tag);
          default -> in.skipField(tag);
        }
        tag = in.readTag();
      }
    } catch (MalformedSampleException e) {
      throw e;
    } catch (IOException e) {
      throw new MalformedSampleException(String.valueOf(e.getMessage()));
    }
    if (channel.isEmpty() || type < 0 || type > GENERIC) {
      throw new MalformedSampleException("the header has no name, or an unknown type " + type);
    }
    if (type == GENERIC) {
      throw new GenericTypeException(channel);
    }
    if (year < FIRST_YEAR || year > LAST_YEAR) {
      throw new MalformedSampleException("the header has the year " + year);
    }
    return new PbHeader(
        channel,
        TYPES[type % WAVEFORMS],
        type >= WAVEFORMS,
        Math.max(1, elements),
        begin(year),
        begin(year + 1));
  }

  /**
   * Returns this header with room for values that were seen: a channel's number of elements may
   * have been another one when the archiver was told it.
   */
  PbHeader withElements(int seen) {
    if (!isWaveform || seen <= elements) {
      return this;
    }
    // Files of values whose lengths differ share a header.
    int room = seen > 1 << 29 ? seen : Integer.highestOneBit(2 * seen - 1);
    return new PbHeader(channel, type, true, room, yearSeconds, yearEndSeconds);
  }

  private static long begin(int year) {
    return LocalDate.of(year, 1, 1).atStartOfDay().toEpochSecond(ZoneOffset.UTC);
  }

  /** Returns whether a tag has a length before its bytes. */
  static boolean isDelimited(int tag) {
    return WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }
}
