package org.kblake.server.internal.appliance.form;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.format.number.DecimalText;
import org.kblake.server.internal.appliance.sample.AnsweredSample;

/**
 * {@code csv} and {@code txt}: a line for each sample. CSV has seconds, value, severity, status,
 * nanoseconds, and no line of names. TXT has the name first, then the time as text, value,
 * severity, status and nanoseconds between tabs. An incomplete answer ends with a line {@code #
 * incomplete}.
 */
public final class SampleLines implements AnswerForm {

  private final OutputStream out;
  private final boolean csv;
  private final StringBuilder line = new StringBuilder();
  private final DecimalText decimals = new DecimalText();
  private final byte[] digits = new byte[DecimalText.MAX_BYTES];

  /**
   * @param csv whether it is CSV
   */
  public SampleLines(OutputStream out, boolean csv) {
    this.out = out;
    this.csv = csv;
  }

  @Override
  public void begin(ChannelHeader header, AnsweredSample first) throws IOException {
    if (!csv) {
      line.append("Beginning data for ").append(header.name());
      write();
    }
  }

  @Override
  public void sample(AnsweredSample sample) throws IOException {
    char separator = csv ? ',' : '\t';
    if (csv) {
      line.append(sample.seconds());
    } else {
      line.append(Instant.ofEpochSecond(sample.seconds()));
    }
    line.append(separator);
    int start = line.length();
    appendValue(sample);
    quote(start);
    line.append(separator).append(sample.severity());
    line.append(separator).append(sample.status());
    line.append(separator).append(sample.nanos());
    write();
  }

  private void appendValue(AnsweredSample sample) {
    EventColumns columns = sample.columns();
    if (!columns.waveform()) {
      appendElement(columns, sample.firstElement());
      return;
    }
    line.append('[');
    for (int element = sample.firstElement(); element < sample.endElement(); element++) {
      if (element > sample.firstElement()) {
        line.append(',');
      }
      appendElement(columns, element);
    }
    line.append(']');
  }

  private void appendElement(EventColumns columns, int element) {
    long value = columns.type() == ValueType.STRING ? 0 : columns.values[element];
    switch (columns.type()) {
      case DOUBLE -> append(decimals.write(Double.longBitsToDouble(value), digits, 0));
      case FLOAT -> append(decimals.write(Float.intBitsToFloat((int) value), digits, 0));
      case SHORT, ENUM, CHAR, LONG -> line.append(value);
      case STRING -> line.append(JsonValues.text(columns, element));
    }
  }

  private void append(int length) {
    for (int i = 0; i < length; i++) {
      line.append((char) digits[i]);
    }
  }

  /** Quotes the field from a position on, or replaces what would end it. */
  private void quote(int start) {
    boolean special = false;
    for (int i = start; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean ends = c == '\n' || c == '\r';
      if (csv) {
        special |= ends || c == ',' || c == '"';
      } else if (ends || c == '\t') {
        line.setCharAt(i, ' ');
      }
    }
    if (special) {
      String quoted = '"' + line.substring(start).replace("\"", "\"\"") + '"';
      line.replace(start, line.length(), quoted);
    }
  }

  private void write() throws IOException {
    line.append('\n');
    out.write(line.toString().getBytes(StandardCharsets.UTF_8));
    line.setLength(0);
  }

  @Override
  public void end(@Nullable String missing) throws IOException {
    if (missing != null) {
      line.append("# incomplete: ").append(missing);
      write();
    }
  }
}
