package org.kblake.cli.command.look;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.argument.ByteOffset;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.format.text.CellText;
import org.kblake.cli.frame.Session;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.inspect.Inspection;
import org.kblake.core.internal.log.inspect.InspectionLimits;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kblake inspect}: shows a pair's files field by field. */
@Command(
    name = "inspect",
    header = "Show a pair's files, decoded beside their bytes.",
    description = {
      "",
      "FILE is a pair's index (.log1) or log (.log2) in any directory. The other file of the"
          + " pair lies beside it. Prints the index's header, records and milestones, and the"
          + " log's first events: offset and bytes in hexadecimal, field, value. Times are in the"
          + " archive's zone.",
      "",
      "A line that begins with ! reports damage: what was found, what was expected, and where"
          + " the listing continues. The status is then 3."
    },
    footer = {
      "  kblake inspect archive/VA/CCG_20160516000000.log1",
      "  kblake inspect --events 100 --records 0 archive/VA/CCG_20160516000000.log2",
      "  kblake inspect --at 0x0 --events 1 archive/RF/AnalogData_20160516000000.log2"
    })
public final class InspectCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(arity = "1", paramLabel = "FILE", description = "An index or a log.")
  private @Nullable Path file;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "Number of records to show, and of entries of each milestone in the log. Default:"
              + " ${DEFAULT-VALUE}.")
  private int records;

  @Option(
      names = "--milestones",
      paramLabel = "N",
      defaultValue = "10",
      description = "Number of milestone entries of the index to show. Default: ${DEFAULT-VALUE}.")
  private int milestones;

  @Option(
      names = "--events",
      paramLabel = "N",
      defaultValue = "10",
      description = "Number of events and milestones to show. Default: ${DEFAULT-VALUE}.")
  private int events;

  @Option(
      names = "--at",
      paramLabel = "OFFSET",
      description =
          "Begin at the event or milestone at this offset of the log: 4096, 0x1000. Default: the"
              + " log's start.")
  private @Nullable ByteOffset at;

  public InspectCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if (records < 0 || milestones < 0 || events < 0) {
      throw new UsageException("--records, --milestones and --events must be at least 0");
    }
    Path path = session.path(Objects.requireNonNull(file));
    ArchiveSettings settings = session.settings().archiveSettings();
    InspectionLimits limits =
        new InspectionLimits(records, milestones, events, at == null ? null : at.bytes());
    try (Writer out = session.text()) {
      InspectionText text = new InspectionText(out, new CellText(settings.zone()));
      Inspection.run(path, limits, settings, text);
      out.flush();
      if (text.damages() == 0) {
        return ExitStatus.DONE;
      }
      session.complain(
          path + ": damaged: see the lines of the listing that begin with !: " + text.damages());
      return ExitStatus.INCOMPLETE;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
