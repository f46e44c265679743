package org.kblake.server.internal.appliance.form;

import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.server.internal.appliance.sample.AnsweredSample;

/**
 * {@code raw}: chunks of lines. The first line of a chunk is a header, each other line is a sample.
 * An empty line separates chunks. A chunk ends with its channel, with the year (UTC), and when the
 * type of the values changes. An incomplete answer ends with a chunk that has a header alone, with
 * the header {@code incomplete}.
 */
public final class RawForm implements AnswerForm {

  private final EscapedLines lines;
  private final RawMessages messages;

  private @Nullable ChannelHeader header;
  private @Nullable OneType oneType;
  private boolean begun;
  private int type = -1;
  private int elementCount;
  private int year;
  private long yearSeconds;
  private long yearEndSeconds;

  public RawForm(OutputStream out) {
    lines = new EscapedLines(out);
    messages = new RawMessages(CodedOutputStream.newInstance(lines));
  }

  @Override
  public void begin(ChannelHeader newHeader, AnsweredSample first) throws IOException {
    header = newHeader;
    oneType = first.isBin() ? null : OneType.of(newHeader.type().answer(), first);
    type = -1;
  }

  @Override
  public void sample(AnsweredSample logged) throws IOException {
    OneType conversion = oneType;
    AnsweredSample sample = conversion == null ? logged : conversion.of(logged);
    ChannelHeader of = header;
    if (of == null) {
      throw new IllegalStateException("a sample before its header");
    }
    boolean waveform = sample.columns().waveform();
    int newType = RawMessages.type(sample.columns().type(), waveform);
    long seconds = sample.seconds();
    if (newType != type || seconds < yearSeconds || seconds >= yearEndSeconds) {
      type = newType;
      elementCount =
          waveform ? Math.max(of.elementCount(), sample.endElement() - sample.firstElement()) : 1;
      setYear(seconds);
      chunk(of, of.facts());
    }
    messages.sample(sample, yearSeconds);
    lines.endLine();
  }

  private void setYear(long seconds) {
    year = Instant.ofEpochSecond(seconds).atOffset(ZoneOffset.UTC).getYear();
    yearSeconds = LocalDate.of(year, 1, 1).atStartOfDay().toEpochSecond(ZoneOffset.UTC);
    yearEndSeconds = LocalDate.of(year + 1, 1, 1).atStartOfDay().toEpochSecond(ZoneOffset.UTC);
  }

  private void chunk(ChannelHeader of, Map<String, String> headers) throws IOException {
    if (begun) {
      lines.endLine();
    }
    begun = true;
    messages.info(type, of.name(), year, elementCount, headers);
    lines.endLine();
  }

  @Override
  public void end(@Nullable String missing) throws IOException {
    ChannelHeader of = header;
    if (missing != null && of != null) {
      Map<String, String> headers = new LinkedHashMap<>(of.facts());
      headers.put("incomplete", missing);
      chunk(of, headers);
    }
    lines.pass();
  }
}
