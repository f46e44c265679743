package org.kblake.core.metadata;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ChannelMetadata;

/** Writes metadata files. */
public final class ChannelsWriter {

  private ChannelsWriter() {}

  /**
   * Writes a new file with some channels, and the directories of the file.
   *
   * @throws IOException if the file exists, or cannot be written
   */
  public static void write(Path file, Collection<ChannelMetadata> channels) throws IOException {
    Path parent = file.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
      write(out, channels);
    }
  }

  /**
   * Writes a file with some channels.
   *
   * @param out stays open
   */
  public static void write(OutputStream out, Collection<ChannelMetadata> channels)
      throws IOException {
    CsvSchema.Builder columns = CsvSchema.builder();
    for (ChannelColumn column : ChannelColumn.values()) {
      columns.addColumn(column.header());
    }
    try (JsonGenerator generator =
        new CsvFactory().createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
      generator.setSchema(columns.setUseHeader(true).setLineSeparator("\r\n").build());
      for (ChannelMetadata channel : channels) {
        generator.writeStartObject();
        write(generator, channel);
        generator.writeEndObject();
      }
    }
  }

  private static void write(JsonGenerator to, ChannelMetadata channel) throws IOException {
    to.writeStringField(ChannelColumn.NAME.header(), channel.channel().name());
    write(to, ChannelColumn.UNIT, channel.unit());
    if (channel.precision().isPresent()) {
      to.writeNumberField(ChannelColumn.PRECISION.header(), channel.precision().getAsInt());
    }
    write(to, ChannelColumn.LOW, channel.low());
    write(to, ChannelColumn.HIGH, channel.high());
    write(to, ChannelColumn.LOLO, channel.lolo());
    write(to, ChannelColumn.LO, channel.lo());
    write(to, ChannelColumn.HI, channel.hi());
    write(to, ChannelColumn.HIHI, channel.hihi());
    write(to, ChannelColumn.LABELS, String.join("|", channel.labels()));
    write(to, ChannelColumn.DESCRIPTION, channel.description());
    write(to, ChannelColumn.FORMER, String.join("|", channel.formerNames()));
  }

  private static void write(JsonGenerator to, ChannelColumn column, @Nullable String text)
      throws IOException {
    if (text != null && !text.isEmpty()) {
      to.writeStringField(column.header(), text);
    }
  }

  private static void write(JsonGenerator to, ChannelColumn column, OptionalDouble number)
      throws IOException {
    if (number.isPresent()) {
      to.writeNumberField(column.header(), number.getAsDouble());
    }
  }
}
