package org.kblake.record.importing.appliance;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.kblake.core.model.ValueType;
import org.kblake.record.source.Conversions;

/**
 * A sample of a file, parsed from a line without escapes. It is reused: {@link #parse} replaces all
 * values. For one thread.
 */
final class PbSample {

  /** The time of a connection event that a sample does not have. */
  static final long ABSENT = -1;

  private static final int SECONDS = 1;
  private static final int NANO = 2;
  private static final int VALUE = 3;
  private static final int SEVERITY = 4;
  private static final int STATUS = 5;
  private static final int FIELD_VALUES = 7;
  private static final int FIELD_NAME = 1;
  private static final int FIELD_VALUE = 2;

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final int INVALID = 3;
  private static final int UDF = 17;
  private static final int MOST_STATUS = 0xFFFF;
  private static final int SHORTEST_TEXT_BYTES = 2;

  private final PbHeader header;
  private final Conversions conversions;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  private long seconds;
  private long nano;
  private int severity;
  private int status;
  private boolean hasValue;
  private boolean isWide;
  private boolean isRefused;
  private long lostSeconds;
  private long regainedSeconds;

  /**
   * @param header the header of the file
   */
  PbSample(PbHeader header, Conversions conversions) {
    this.header = header;
    this.conversions = conversions;
  }

  static int field(int tag) {
    return WireFormat.getTagFieldNumber(tag);
  }

  static int varint(CodedInputStream in, int tag) throws IOException {
    if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_VARINT) {
      throw new MalformedSampleException("field " + field(tag) + " is no integer");
    }
    return in.readRawVarint32();
  }

  /**
   * Parses a sample.
   *
   * @throws MalformedSampleException if the bytes are none
   */
  void parse(byte[] line, int length) throws MalformedSampleException {
    seconds = ABSENT;
    nano = ABSENT;
    severity = 0;
    status = 0;
    hasValue = false;
    isRefused = false;
    lostSeconds = ABSENT;
    regainedSeconds = ABSENT;
    bytes.reset();
    try {
      CodedInputStream in = CodedInputStream.newInstance(line, 0, length);
      int tag = in.readTag();
      while (tag != 0) {
        field(in, tag);
        tag = in.readTag();
      }
    } catch (MalformedSampleException e) {
      throw e;
    } catch (IOException e) {
      throw new MalformedSampleException(String.valueOf(e.getMessage()));
    }
    check();
  }

  private void check() throws MalformedSampleException {
    if (seconds == ABSENT || nano == ABSENT) {
      throw new MalformedSampleException("sample without time");
    }
    long last = header.yearEndSeconds() - header.yearSeconds();
    if (seconds >= last || nano >= SECOND_NANOS || nanos() <= 0) {
      throw new MalformedSampleException(
          "no time of the year: seconds=" + seconds + ", nanoseconds=" + nano);
    }
    if (!hasValue && !header.isWaveform()) {
      throw new MalformedSampleException("sample without value");
    }
  }

  private void field(CodedInputStream in, int tag) throws IOException {
    switch (field(tag)) {
      case SECONDS -> seconds = Integer.toUnsignedLong(varint(in, tag));
      case NANO -> nano = Integer.toUnsignedLong(varint(in, tag));
      case VALUE -> value(in, tag);
      case SEVERITY -> severity = varint(in, tag);
      case STATUS -> status = varint(in, tag);
      case FIELD_VALUES -> fieldValue(in, tag);
      default -> in.skipField(tag);
    }
  }

  private void value(CodedInputStream in, int tag) throws IOException {
    if (!header.isWaveform()) {
      bytes.reset();
    }
    hasValue = true;
    ValueType type = header.type();
    boolean isDelimited = PbHeader.isDelimited(tag);
    if (type == ValueType.STRING || type == ValueType.CHAR) {
      if (!isDelimited) {
        throw new MalformedSampleException("value is no text");
      }
      byte[] value = in.readByteArray();
      if (type == ValueType.STRING) {
        text(value);
      } else if (!header.isWaveform() && value.length != 1) {
        throw new MalformedSampleException("value has " + value.length + " bytes");
      } else {
        bytes.write(value, 0, value.length);
      }
      return;
    }
    if (!isDelimited) {
      number(in, WireFormat.getTagWireType(tag));
      return;
    }
    if (!header.isWaveform()) {
      throw new MalformedSampleException("value is a list");
    }
    int outer = in.pushLimit(in.readRawVarint32());
    while (!in.isAtEnd()) {
      number(in, wireType());
    }
    in.popLimit(outer);
  }

  private int wireType() {
    return switch (header.type()) {
      case FLOAT, LONG -> WireFormat.WIRETYPE_FIXED32;
      case DOUBLE -> WireFormat.WIRETYPE_FIXED64;
      default -> WireFormat.WIRETYPE_VARINT;
    };
  }

  private void number(CodedInputStream in, int wireType) throws IOException {
    if (wireType != wireType()) {
      throw new MalformedSampleException("value has the wire type " + wireType);
    }
    switch (header.type()) {
      case FLOAT, LONG -> out.writeInt(in.readRawLittleEndian32());
      case DOUBLE -> out.writeLong(in.readRawLittleEndian64());
      default -> integer(in.readSInt32());
    }
  }

  /** Writes an integer that the archiver meant to have 16 bits. */
  private void integer(int number) throws IOException {
    if (header.type() == ValueType.ENUM) {
      isRefused |= number < 0 || number > 0xFFFF;
      out.writeShort(number);
      return;
    }
    if (!isWide && (short) number != number) {
      widen();
    }
    if (isWide) {
      out.writeInt(number);
    } else {
      out.writeShort(number);
    }
  }

  /** Makes the type long: of the elements of this value, and of all later values of the file. */
  private void widen() throws IOException {
    isWide = true;
    ByteBuffer before = ByteBuffer.wrap(bytes.toByteArray());
    bytes.reset();
    while (before.hasRemaining()) {
      out.writeInt(before.getShort());
    }
  }

  private void text(byte[] utf8) {
    ByteBuffer element = ByteBuffer.allocate(ValueType.STRING.bytes());
    conversions.putString(element, utf8);
    bytes.write(element.array(), 0, element.capacity());
  }

  private void fieldValue(CodedInputStream in, int tag) throws IOException {
    if (!PbHeader.isDelimited(tag)) {
      throw new MalformedSampleException("field value is no message");
    }
    byte[] message = in.readByteArray();
    if (message.length < SHORTEST_TEXT_BYTES) {
      return;
    }
    CodedInputStream inner = CodedInputStream.newInstance(message);
    String name = "";
    String text = "";
    int innerTag = inner.readTag();
    while (innerTag != 0) {
      if (!PbHeader.isDelimited(innerTag)) {
        inner.skipField(innerTag);
      } else if (field(innerTag) == FIELD_NAME) {
        name = new String(inner.readByteArray(), StandardCharsets.UTF_8);
      } else if (field(innerTag) == FIELD_VALUE) {
        text = new String(inner.readByteArray(), StandardCharsets.UTF_8);
      } else {
        inner.skipField(innerTag);
      }
      innerTag = inner.readTag();
    }
    if (name.equals("cnxlostepsecs")) {
      lostSeconds = epochSeconds(text);
    } else if (name.equals("cnxregainedepsecs")) {
      regainedSeconds = epochSeconds(text);
    }
  }

  /** Returns seconds since 1970; {@link #ABSENT} for 0, which stands for an unknown time. */
  private static long epochSeconds(String text) {
    boolean isNumber = text.matches("[1-9]\\d{0,10}");
    return isNumber ? Long.parseLong(text) : ABSENT;
  }

  PbHeader header() {
    return header;
  }

  /** Returns the time, nanoseconds since 1970 UTC. */
  long nanos() {
    return (header.yearSeconds() + seconds) * SECOND_NANOS + nano;
  }

  /** Returns the severity of a log, 0 to 3. */
  int severity() {
    return severity < 0 || severity > INVALID ? INVALID : severity;
  }

  /** Returns the status of a log. */
  int status() {
    return status < 0 || status > MOST_STATUS ? UDF : status;
  }

  /** Returns the type that holds the value. */
  ValueType type() {
    return isWide ? ValueType.LONG : header.type();
  }

  /** Returns the elements as a log has them, a new array. */
  byte[] value() {
    return bytes.toByteArray();
  }

  /** Returns whether no log can hold the value. */
  boolean isRefused() {
    return isRefused;
  }

  /** Returns when the connection was lost, seconds since 1970 UTC, or {@link #ABSENT}. */
  long lostSeconds() {
    return lostSeconds;
  }

  /** Returns when the connection came back, seconds since 1970 UTC, or {@link #ABSENT}. */
  long regainedSeconds() {
    return regainedSeconds;
  }
}
