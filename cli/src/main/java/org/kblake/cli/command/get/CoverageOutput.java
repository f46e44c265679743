package org.kblake.cli.command.get;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.CoverageJson;
import org.kblake.cli.command.answer.OutputFile;
import org.kblake.cli.frame.Session;
import org.kblake.format.OutputFormat;

/**
 * The destination and the form of the coverage report. Standard output gets a table unless the
 * format of the events is JSON. A file gets JSON unless its name ends in {@code .txt}.
 *
 * @param file null for standard output
 * @param json whether the form is JSON
 */
record CoverageOutput(Session session, @Nullable Path file, boolean json) {

  /**
   * @param path the path of the option, {@code -} for standard output
   * @param format the format that the user gave for the events; null for none
   */
  static CoverageOutput of(Session session, Path path, @Nullable OutputFormat format) {
    if (OutputFile.isStandardStream(path)) {
      return new CoverageOutput(
          session, null, format == OutputFormat.JSON || format == OutputFormat.NDJSON);
    }
    boolean text = path.toString().toLowerCase(Locale.ROOT).endsWith(".txt");
    return new CoverageOutput(session, session.path(path), !text);
  }

  /** Writes a report. A file appears when it is complete. */
  void write(Answered answered) throws IOException {
    if (file == null) {
      write(answered, session.out(), session.outIsColored());
      session.out().flush();
      return;
    }
    try (OutputFile created = OutputFile.create(session.settings().archiveIfSet(), file)) {
      write(answered, created.out(), false);
      created.complete();
    }
  }

  private void write(Answered answered, OutputStream out, boolean colored) throws IOException {
    if (json) {
      new CoverageJson(session.settings().outZone()).write(answered.coverage(), out);
      return;
    }
    for (String line : CoverageText.of(answered, session.settings().outZone(), colored)) {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
