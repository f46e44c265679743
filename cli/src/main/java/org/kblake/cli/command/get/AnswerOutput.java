package org.kblake.cli.command.get;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.OutputFile;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.filter.ColumnChoice;
import org.kblake.cli.frame.Session;
import org.kblake.format.AnswerWriter;
import org.kblake.format.Compression;
import org.kblake.format.OutputFormat;
import org.kblake.format.answer.AnswerWriters;
import org.kblake.format.text.LineForm;
import org.kblake.format.text.ParallelLines;
import org.kblake.format.time.TimeStyle;
import org.kblake.query.EventReader;

/**
 * The destination and the format of an answer.
 *
 * @param file null for standard output
 * @param compression null for none
 * @param columns the columns of an answer of events; null for the usual ones
 * @param safe whether no text is a formula of a spreadsheet
 */
record AnswerOutput(
    Session session,
    @Nullable Path file,
    OutputFormat format,
    @Nullable Compression compression,
    TimeStyle timeStyle,
    @Nullable ColumnChoice columns,
    boolean safe) {

  /**
   * Validates the options.
   *
   * @throws UsageException if they contradict each other
   */
  static AnswerOutput of(
      Session session,
      @Nullable Path output,
      @Nullable OutputFormat format,
      @Nullable TimeStyle timeStyle,
      @Nullable ColumnChoice columns,
      boolean safe) {
    Path file = output == null || OutputFile.isStandardStream(output) ? null : session.path(output);
    OutputFormat chosen = format;
    if (chosen == null) {
      chosen = file == null ? OutputFormat.CSV : formatOf(file);
    }
    Compression compression = file == null ? null : Compression.ofFile(file);
    if (compression != null && !chosen.text()) {
      throw new UsageException(
          ".gz and .zst are for text formats only; omit the ending for " + chosen + ": " + file);
    }
    if (timeStyle != null && !chosen.text()) {
      throw new UsageException(
          "--time is for text formats only: " + chosen + " always has nanoseconds since 1970 UTC");
    }
    if (safe && chosen != OutputFormat.CSV && chosen != OutputFormat.TSV) {
      throw new UsageException("--safe is for csv and tsv only: " + chosen + " has no formulas");
    }
    if (file == null && !chosen.text() && session.outIsTerminal()) {
      throw new UsageException(
          chosen + " is binary and not for a terminal; give -o FILE, or a pipe");
    }
    return new AnswerOutput(
        session,
        file,
        chosen,
        compression,
        timeStyle == null ? TimeStyle.ISO : timeStyle,
        columns,
        safe);
  }

  private static OutputFormat formatOf(Path file) {
    return OutputFormat.ofFile(file)
        .orElseThrow(
            () ->
                new UsageException(
                    "unknown ending of -o "
                        + file
                        + ": write "
                        + OutputFormat.allEndings()
                        + ", text formats also with .gz or .zst, or select a format with -f"));
  }

  boolean isStandardOutput() {
    return file == null;
  }

  /**
   * Returns the form of lines for a text format.
   *
   * @param withGroup whether a column has the group
   * @param withStray whether a column marks strays
   */
  LineForm lineForm(boolean withGroup, boolean withStray) {
    ZoneId zone = session.settings().outZone();
    return columns == null
        ? new LineForm(format, timeStyle, zone, withGroup, withStray).withSafe(safe)
        : new LineForm(format, timeStyle, zone, columns.names(), safe);
  }

  /** Opens the destination. */
  Opened open() throws IOException {
    if (file == null) {
      return new Opened(null, session.out());
    }
    OutputFile created = OutputFile.create(session.settings().archiveIfSet(), file);
    return new Opened(
        created, compression == null ? created.out() : compression.compress(created.out()));
  }

  /** An answer being written. */
  final class Opened implements AutoCloseable {

    private final @Nullable OutputFile outputFile;
    private final OutputStream out;

    private Opened(@Nullable OutputFile outputFile, OutputStream out) {
      this.outputFile = outputFile;
      this.out = out;
    }

    /** Returns a writer of the batches of a reader. */
    AnswerWriter writer(EventReader reader) throws IOException {
      List<FieldVector> vectors = reader.vectors();
      List<Field> fields = reader.fields();
      if (columns != null) {
        fields = columns.of(vectors, fields);
        vectors = columns.of(vectors, vectors);
      }
      return AnswerWriters.open(format, out(), outputFile != null, fields, vectors, reader);
    }

    /** Returns the stream of the answer's bytes. This object closes it. */
    OutputStream out() {
      return out;
    }

    /**
     * Returns a writer of events as text, without Arrow.
     *
     * @param withGroup whether a column has the group
     * @param withStray whether a column marks strays
     * @return the caller closes it
     */
    ParallelLines lines(boolean withGroup, boolean withStray) throws IOException {
      return new ParallelLines(out(), lineForm(withGroup, withStray));
    }

    /** Returns a writer of the batches of a table. */
    AnswerWriter tableWriter(List<FieldVector> table) throws IOException {
      return AnswerWriters.openTable(
          format, out(), outputFile != null, table, timeStyle, session.settings().outZone(), safe);
    }

    /** Flushes the answer, and moves a file to its name. */
    void complete() throws IOException {
      if (outputFile == null) {
        out.flush();
      } else {
        if (compression != null) {
          out.close();
        }
        outputFile.complete();
      }
    }

    @Override
    public void close() throws IOException {
      if (outputFile != null) {
        try {
          if (compression != null) {
            out.close();
          }
        } finally {
          outputFile.close();
        }
      }
    }
  }
}
