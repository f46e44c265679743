package org.kblake.cli.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.argument.TimeArgument;
import org.kblake.cli.argument.TimeArgument.Bound;
import org.kblake.cli.format.AnswerWriter;
import org.kblake.cli.format.OutputFormat;
import org.kblake.cli.format.TimeStyle;
import org.kblake.cli.frame.ExitStatus;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.UsageException;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.ChannelSelection;
import org.kblake.query.CoverageReport;
import org.kblake.query.EventQuery;
import org.kblake.query.EventReader;
import org.kblake.query.Source;
import org.kblake.query.UnknownChannelException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kblake get}: events of channels, as text or columns. */
@Command(
    name = "get",
    header = "Write the events of channels.",
    description = {
      "",
      "CHANNEL is a name or a glob: * any text, ? any character, [abc] one of these, [!abc] none of"
          + " these. A channel that several groups record is answered by all of them unless -g says"
          + " which; a column tells the group then.",
      "",
      "A range begins with --from, included, and ends before --to; without both it is the last hour,"
          + " with --to alone everything before. Rows come in log order, several groups merged by"
          + " time. What cannot be read is named on standard error, the rest is written, the status"
          + " is 3.",
      "",
      "Times: " + TimeArgument.FORMS + "."
    },
    footer = {
      "  kblake get --from 2016-05-16 --to 20160517 RF_AnalogData:D02_007:XPOS",
      "  kblake get --from 20160516 -g VA/CCG -o day.parquet 'VA_CCG:*:PRES'",
      "  kblake get --to 2016-05-17 --last 3 --time epoch-ns -f json RF_AnalogData:D02_007:XPOS",
      "  kblake channels -g VA/CCG | kblake get --from 2016-05-16 --channels-from - | head"
    })
public final class GetCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(arity = "0..*", paramLabel = "CHANNEL", description = "A name or a glob.")
  private List<String> channels = new ArrayList<>();

  @Option(
      names = "--channels-from",
      paramLabel = "FILE",
      description = "More channels, one a line up to the first blank; - is standard input.")
  private @Nullable Path channelsFrom;

  @Option(
      names = {"-g", "--group"},
      paramLabel = "GROUP",
      description = "Only this group, SYSTEM/NAME; may be given more than once.")
  private List<Group> groups = new ArrayList<>();

  @Option(names = "--from", paramLabel = "TIME", description = "Events at or after this time.")
  private @Nullable TimeArgument from;

  @Option(names = "--to", paramLabel = "TIME", description = "Events before this time.")
  private @Nullable TimeArgument to;

  @Option(
      names = "--last",
      paramLabel = "N",
      description = "Only the last N events of each channel, from however long ago.")
  private @Nullable Long last;

  @Option(
      names = {"-f", "--format"},
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}; preset: the ending of -o FILE, else csv.")
  private @Nullable OutputFormat format;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write here; the file appears when it is complete. - is standard output.")
  private @Nullable Path output;

  @Option(
      names = "--time",
      paramLabel = "STYLE",
      description = "How text shows times: ${COMPLETION-CANDIDATES}; preset: iso.")
  private @Nullable TimeStyle timeStyle;

  @Option(
      names = "--source",
      paramLabel = "SOURCE",
      description =
          "auto: columns and, where there are none, raw logs; raw: raw logs only; store: columns"
              + " only. Preset: auto.")
  private Source source = Source.AUTO;

  @Option(
      names = "--strays",
      description =
          "Also the events whose times lie outside of their place in the log, with a column that"
              + " tells them.")
  private boolean strays;

  @Option(
      names = "--coverage",
      paramLabel = "FILE",
      description =
          "Write what is known of the range as JSON: answered, pending, unavailable, damaged,"
              + " archiver down, not recorded.")
  private @Nullable Path coverage;

  public GetCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    AnswerOutput target = AnswerOutput.of(session, output, format, timeStyle);
    boolean coverageToStandardOutput = AnswerOutput.isStandardOutput(coverage);
    if (coverageToStandardOutput && target.isStandardOutput()) {
      throw new UsageException(
          "--coverage - and the events cannot both go to standard output; give -o FILE");
    }
    EventQuery query = query();
    try (ArchiveReader archive = ReaderOpening.open(session, source);
        BufferAllocator allocator = new RootAllocator();
        EventReader reader = archive.read(query, allocator)) {
      write(reader, target);
      return report(reader.coverage());
    } catch (UnknownChannelException e) {
      if (e.isCertain()) {
        throw e;
      }
      session.complain("kblake get: " + e.getMessage());
      return ExitStatus.INCOMPLETE;
    }
  }

  private EventQuery query() throws IOException {
    ChannelSelection selection =
        new ChannelSelection(groups, ChannelArguments.of(session, channels, channelsFrom));
    EventQuery query = EventQuery.of(selection).between(range()).from(source).allowIncomplete();
    if (last != null) {
      if (last < 1) {
        throw new UsageException("--last must be at least 1: " + last);
      }
      query = query.last(last);
    }
    return strays ? query.withStrays() : query;
  }

  private TimeRange range() {
    long toNanos = nanos(to, "now", Bound.TO);
    long fromNanos =
        from == null && (to != null || last != null)
            ? Long.MIN_VALUE
            : nanos(from, "-1h", Bound.FROM);
    if (fromNanos > toNanos) {
      throw new UsageException("--from is later than --to");
    }
    return new TimeRange(fromNanos, toNanos);
  }

  private long nanos(@Nullable TimeArgument given, String preset, Bound bound) {
    TimeArgument time = given == null ? TimeArgument.parse(preset) : given;
    try {
      return time.nanos(session.settings().zone(), session.now(), bound);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private void write(EventReader reader, AnswerOutput target) throws IOException {
    try (AnswerOutput.Opened opened = target.open();
        AnswerWriter writer = opened.writer(reader.getVectorSchemaRoot(), reader)) {
      while (reader.loadNextBatch()) {
        writer.write();
      }
      writer.finish();
      opened.complete();
    }
  }

  private int report(CoverageReport report) throws IOException {
    if (coverage != null) {
      new CoverageJson(session.settings().zone()).write(report, session, coverage);
    }
    report.notes().forEach(session::note);
    if (report.isComplete()) {
      return ExitStatus.DONE;
    }
    new MissingLines(session).write(report);
    return ExitStatus.INCOMPLETE;
  }
}
