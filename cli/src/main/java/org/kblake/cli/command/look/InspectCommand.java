package org.kblake.cli.command.look;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Value;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.inspect.Inspection;
import org.kblake.core.internal.log.inspect.InspectionLimits;
import org.kblake.format.argument.ByteOffset;
import org.kblake.format.text.CellText;

/** {@code kblake inspect}: shows a pair's files field by field. */
public final class InspectCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("inspect", "Show a pair's files, decoded beside their bytes.")
          .description(
              "",
              "FILE is a pair's index (.log1) or log (.log2) in any directory. The other file of"
                  + " the pair lies beside it. Prints the index's header, records and milestones,"
                  + " and the log's first events: offset and bytes in hexadecimal, field, value."
                  + " Times are in the archive's zone.",
              "",
              "A line that begins with ! reports damage: what was found, what was expected, and"
                  + " where the listing continues. The status is then 3.")
          .footer(
              "  kblake inspect archive/VA/CCG_20240520000000.log1",
              "  kblake inspect --events 100 --records 0 archive/VA/CCG_20240520000000.log2",
              "  kblake inspect --at 0x0 --events 1 archive/RF/AnalogData_20240520000000.log2");

  private final Value<Path> file = model.argument(Path.class, "FILE", "An index or a log.");

  private final Value<Integer> records =
      model.preset(
          int.class,
          "10",
          "N",
          "Number of records to show, and of entries of each milestone in the log. Default:"
              + " ${DEFAULT-VALUE}.",
          "--records");

  private final Value<Integer> milestones =
      model.preset(
          int.class,
          "10",
          "N",
          "Number of milestone entries of the index to show. Default: ${DEFAULT-VALUE}.",
          "--milestones");

  private final Value<Integer> events =
      model.preset(
          int.class,
          "10",
          "N",
          "Number of events and milestones to show. Default: ${DEFAULT-VALUE}.",
          "--events");

  private final OptionalValue<ByteOffset> at =
      model.value(
          ByteOffset.class,
          "OFFSET",
          "Begin at the event or milestone at this offset of the log: 4096, 0x1000. Default: the"
              + " log's start.",
          "--at");

  public InspectCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    int firstRecords = records.get();
    int firstMilestones = milestones.get();
    int firstEvents = events.get();
    if (firstRecords < 0 || firstMilestones < 0 || firstEvents < 0) {
      throw new UsageException("--records, --milestones and --events must be at least 0");
    }
    Path path = session.path(file.get());
    ArchiveSettings settings = session.settings().archiveSettings();
    ByteOffset begin = at.get();
    InspectionLimits limits =
        new InspectionLimits(
            firstRecords, firstMilestones, firstEvents, begin == null ? null : begin.bytes());
    try (Writer out = session.text()) {
      InspectionText text = new InspectionText(out, new CellText(session.settings().outZone()));
      Inspection.run(path, limits, settings, text);
      out.flush();
      if (text.damages() == 0) {
        return ExitStatus.DONE;
      }
      session.incomplete(
          path + ": damaged: see the lines of the listing that begin with !: " + text.damages());
      return ExitStatus.INCOMPLETE;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
