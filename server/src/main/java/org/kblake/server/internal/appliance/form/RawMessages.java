package org.kblake.server.internal.appliance.form;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.Map;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.server.internal.appliance.sample.AnsweredSample;

/**
 * Writes the messages of {@code src/main/proto/archiver_appliance.proto}. The numbers of the fields
 * are those of this file.
 */
final class RawMessages {

  private static final int WAVEFORM_TYPES = 7;

  private static final int INFO_TYPE = 1;
  private static final int INFO_NAME = 2;
  private static final int INFO_YEAR = 3;
  private static final int INFO_ELEMENT_COUNT = 4;
  private static final int INFO_HEADERS = 15;

  private static final int FIELD_NAME = 1;
  private static final int FIELD_VALUE = 2;

  private static final int SECONDS = 1;
  private static final int NANO = 2;
  private static final int VALUE = 3;
  private static final int SEVERITY = 4;
  private static final int STATUS = 5;
  private static final int FIELD_VALUES = 7;

  private final CodedOutputStream coded;

  RawMessages(CodedOutputStream coded) {
    this.coded = coded;
  }

  /** Returns the number of a type in {@code PayloadType}. */
  static int type(ValueType type, boolean waveform) {
    int scalar =
        switch (type) {
          case STRING -> 0;
          case SHORT -> 1;
          case FLOAT -> 2;
          case ENUM -> 3;
          case CHAR -> 4;
          case LONG -> 5;
          case DOUBLE -> 6;
        };
    return waveform ? scalar + WAVEFORM_TYPES : scalar;
  }

  /** Writes a {@code PayloadInfo}. */
  void info(int type, String name, int year, int elementCount, Map<String, String> headers)
      throws IOException {
    coded.writeEnum(INFO_TYPE, type);
    coded.writeString(INFO_NAME, name);
    coded.writeInt32(INFO_YEAR, year);
    coded.writeInt32(INFO_ELEMENT_COUNT, elementCount);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      fieldValue(INFO_HEADERS, header.getKey(), header.getValue());
    }
    coded.flush();
  }

  private void fieldValue(int field, String name, String value) throws IOException {
    coded.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    coded.writeUInt32NoTag(
        CodedOutputStream.computeStringSize(FIELD_NAME, name)
            + CodedOutputStream.computeStringSize(FIELD_VALUE, value));
    coded.writeString(FIELD_NAME, name);
    coded.writeString(FIELD_VALUE, value);
  }

  /**
   * Writes a sample.
   *
   * @param yearSeconds the begin of its year, seconds since 1970 UTC
   */
  void sample(AnsweredSample sample, long yearSeconds) throws IOException {
    coded.writeUInt32(SECONDS, (int) (sample.seconds() - yearSeconds));
    coded.writeUInt32(NANO, sample.nanos());
    if (sample.columns().waveform()) {
      list(sample);
    } else {
      scalar(sample.columns(), sample.firstElement());
    }
    if (sample.severity() != 0) {
      coded.writeInt32(SEVERITY, sample.severity());
    }
    if (sample.status() != 0) {
      coded.writeInt32(STATUS, sample.status());
    }
    if (sample.lostSeconds() != AnsweredSample.ABSENT) {
      fieldValue(FIELD_VALUES, ConnectionField.LOST, Long.toString(sample.lostSeconds()));
    }
    if (sample.regainedSeconds() != AnsweredSample.ABSENT) {
      fieldValue(FIELD_VALUES, ConnectionField.REGAINED, Long.toString(sample.regainedSeconds()));
    }
    coded.flush();
  }

  private void scalar(EventColumns columns, int element) throws IOException {
    switch (columns.type()) {
      case STRING -> text(columns, element);
      case SHORT, ENUM -> coded.writeSInt32(VALUE, (int) columns.values[element]);
      case CHAR -> coded.writeByteArray(VALUE, new byte[] {(byte) columns.values[element]});
      case FLOAT -> coded.writeFixed32(VALUE, (int) columns.values[element]);
      case LONG -> coded.writeSFixed32(VALUE, (int) columns.values[element]);
      case DOUBLE -> coded.writeFixed64(VALUE, columns.values[element]);
    }
  }

  private void text(EventColumns columns, int element) throws IOException {
    int start = columns.textStarts[element];
    coded.writeByteArray(VALUE, columns.text, start, columns.textStarts[element + 1] - start);
  }

  /** Writes the elements of a list: packed numbers, bytes, or repeated texts. */
  private void list(AnsweredSample sample) throws IOException {
    EventColumns columns = sample.columns();
    int first = sample.firstElement();
    int end = sample.endElement();
    if (columns.type() == ValueType.STRING) {
      for (int element = first; element < end; element++) {
        text(columns, element);
      }
      return;
    }
    long[] values = columns.values;
    if (first == end && columns.type() != ValueType.CHAR) {
      return;
    }
    coded.writeTag(VALUE, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    switch (columns.type()) {
      case SHORT, ENUM -> {
        int bytes = 0;
        for (int element = first; element < end; element++) {
          bytes += CodedOutputStream.computeSInt32SizeNoTag((int) values[element]);
        }
        coded.writeUInt32NoTag(bytes);
        for (int element = first; element < end; element++) {
          coded.writeSInt32NoTag((int) values[element]);
        }
      }
      case CHAR -> {
        coded.writeUInt32NoTag(end - first);
        for (int element = first; element < end; element++) {
          coded.writeRawByte((byte) values[element]);
        }
      }
      case FLOAT, LONG -> {
        coded.writeUInt32NoTag((end - first) * Integer.BYTES);
        for (int element = first; element < end; element++) {
          coded.writeFixed32NoTag((int) values[element]);
        }
      }
      case DOUBLE -> {
        coded.writeUInt32NoTag((end - first) * Long.BYTES);
        for (int element = first; element < end; element++) {
          coded.writeFixed64NoTag(values[element]);
        }
      }
      case STRING -> throw new IllegalStateException("texts are not packed");
    }
  }
}
