package org.kblake.cli.command.get;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.kblake.cli.command.answer.ChannelArguments;
import org.kblake.cli.command.answer.FormerNameNotes;
import org.kblake.cli.command.answer.LossLines;
import org.kblake.cli.command.answer.MissingLines;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.RangeOptions;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.command.shared.SafeOption;
import org.kblake.cli.command.shared.SourceOption;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Value;
import org.kblake.cli.frame.Values;
import org.kblake.cli.progress.Progress;
import org.kblake.cli.progress.ProgressUnit;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.AnswerWriter;
import org.kblake.format.OutputFormat;
import org.kblake.format.argument.DurationArgument;
import org.kblake.format.table.EventTable;
import org.kblake.format.table.Gaps;
import org.kblake.format.time.TimeStyle;
import org.kblake.query.ArchiveReader;
import org.kblake.query.GridReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.Losses;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.GridQuery;

/** {@code kblake build}: writes a row of aligned values for each event of a condition. */
public final class BuildCommand implements Command {

  /** Rows are read as many at a time as have so many cells. */
  private static final int CELLS = 1 << 21;

  private static final int MAX_ROWS = 1 << 14;
  private static final int MAX_OFFSETS = 1000;
  private static final Duration LONGEST_OFFSET = Duration.ofDays(36_500);

  private final Session session;
  private final CommandModel model =
      CommandModel.of("build", "Write a row of aligned values for each event of a condition.")
          .description(
              "",
              "An event is an instant at which the condition of --event begins to be met, such as an"
                  + " abort. With --each every value that meets it is an event, such as a count of a"
                  + " trigger. The row of an event has its number, its time, and the values that the"
                  + " channels of all groups held at each --offset from it.",
              "",
              "The column complete is 0 if a value of the row may be missing or outdated, because a"
                  + " log could not be read; else 1. A cell is empty if no value was known. A begin"
                  + " at which the value before is not known, such as the end of a time when the"
                  + " archiver was down, is no event.")
          .footer(
              "  kblake build --event 'BMLDCCT:CURRENT < 1000' --from 20240520 'BM*' 'CG*:VC'",
              "  kblake build --event 'BMLDCCT:LIFE < 60' --offset -1s --from 2024 'BM*'",
              "  kblake build --event 'BMLDCCT:LIFE > 0' --each --from 20240520 'BM*'");

  private final Values<String> channels =
      model.arguments(
          String.class, "CHANNEL", "A name or a glob, or several with commas between them.");

  private final OptionalValue<Path> channelsFrom =
      model.value(
          Path.class,
          "FILE",
          "Read more channels from this file, the first word of each line; - is standard input.",
          "--channels-from");

  private final GroupOption groups = new GroupOption(model);

  private final RangeOptions times = new RangeOptions(model);

  private final OptionalValue<String> event =
      model.value(
          String.class,
          "CONDITION",
          "The condition, as kblake when takes it: 'CHANNEL OP NUMBER [for DURATION]'.",
          "--event");

  private final Flag each =
      model.flag("Every value that meets the condition is an event.", "--each");

  private final Values<String> offsets =
      model.values(
          String.class,
          "DURATION",
          "The time from an event to the instant of the values, such as -1s or 100ms; may be given"
              + " more than once. Default: 0s.",
          "--offset");

  private final Value<Gaps> gaps =
      model.preset(
          Gaps.class,
          "hold",
          "GAPS",
          "What a cell has where the channel was disconnected or not recorded, the archiver was"
              + " down, or the log cannot be read: hold: the value held there; null: nothing."
              + " Default: hold.",
          "--gaps");

  private final SourceOption source = new SourceOption(model);

  private final OptionalValue<OutputFormat> format =
      model.value(
          OutputFormat.class,
          "FORMAT",
          "${COMPLETION-CANDIDATES}; default: the ending of -o FILE, else csv.",
          "-f",
          "--format");

  private final OptionalValue<Path> output =
      model.value(
          Path.class,
          "FILE",
          "Write to this file. It appears when it is complete. - is standard output.",
          "-o",
          "--output");

  private final OptionalValue<TimeStyle> timeStyle =
      model.value(
          TimeStyle.class,
          "STYLE",
          "Format of times in text: ${COMPLETION-CANDIDATES}; default: iso.",
          "--time");

  private final Flag safe = SafeOption.of(model);

  public BuildCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    String condition = event.get();
    if (condition == null) {
      throw new UsageException("give --event, such as --event 'CHANNEL < 1000'");
    }
    AnswerOutput target =
        AnswerOutput.of(session, output.get(), format.get(), timeStyle.get(), null, safe.isSet());
    ChannelSelection selection =
        new ChannelSelection(
            groups.named(), ChannelArguments.of(session, channels.get(), channelsFrom.get()));
    Map<Long, String> at = offsets();
    TimeRange range = times.range(session, true);
    if (range.fromNanos() == Long.MIN_VALUE) {
      throw new UsageException("give --from, or neither --from nor --to: the last hour");
    }
    EventInstants instants =
        EventInstants.of(session, condition, each.isSet(), groups.named(), source.get());
    try (ArchiveReader archive = ReaderOpening.open(session, source.get())) {
      FormerNameNotes.write(session, archive, selection);
      EventInstants.Found found = instants.find(archive, range);
      List<ChannelInfo> infos =
          archive.find(EventQuery.of(selection).between(range).from(source.get())).channels();
      int incomplete = write(archive, infos, at, found.nanos(), target);
      session.note(
          "%d events, %d of them incomplete; %d channels at %d offsets"
              .formatted(found.nanos().size(), incomplete, infos.size(), at.size()));
      if (found.nanos().isEmpty()) {
        session.note("the condition begins to be met at no time of the range");
      }
      LossLines.writeBehind(session, losses(archive, infos, at, found, range));
      found.coverage().forEach(report -> new MissingLines(session).write(report));
      return incomplete == 0 && found.isComplete() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
    }
  }

  /** Returns what recorders may have lost of the condition's channel, and at the offsets. */
  private static Losses losses(
      ArchiveReader archive,
      List<ChannelInfo> infos,
      Map<Long, String> at,
      EventInstants.Found found,
      TimeRange range)
      throws IOException {
    Set<Group> groups = new HashSet<>();
    infos.forEach(info -> groups.add(info.channel().group()));
    found.coverage().forEach(report -> groups.addAll(report.groups()));
    long first = Math.min(0, Collections.min(at.keySet()));
    long last = Math.max(0, Collections.max(at.keySet()));
    return archive.losses(
        groups,
        new TimeRange(
            EpochNanos.plus(range.fromNanos(), first), EpochNanos.plus(range.toNanos(), last)));
  }

  /** Returns the number of rows that are not complete. */
  private int write(
      ArchiveReader archive,
      List<ChannelInfo> infos,
      Map<Long, String> at,
      List<Long> events,
      AnswerOutput target)
      throws IOException {
    TableSize.require(null, events.size(), 3 + (long) infos.size() * at.size());
    Duration lookBack = session.settings().get(CommonSetting.LOOK_BACK);
    ChannelSelection selection = EventInstants.selection(infos);
    Set<String> notes = new LinkedHashSet<>();
    int incomplete = 0;
    try (BufferAllocator allocator = new RootAllocator();
        EventTable table = new EventTable(infos, at, lookBack.toNanos(), allocator);
        AnswerOutput.Opened opened = target.open();
        Progress progress = session.progress("build", events.size(), ProgressUnit.ROWS);
        AnswerWriter writer = opened.tableWriter(table.vectors())) {
      int most = Math.max(1, Math.min(MAX_ROWS, CELLS / Math.max(1, table.cells())));
      for (int first = 0; first < events.size(); first += most) {
        List<Long> next = events.subList(first, Math.min(events.size(), first + most));
        GridQuery query =
            GridQuery.at(selection, table.points(next))
                .from(source.get())
                .lookBack(lookBack)
                .nullInGaps(gaps.get() == Gaps.NULL)
                .allowIncomplete();
        try (GridReader grid = archive.grid(query)) {
          int missing = table.fill(grid, next, first + 1);
          incomplete += missing;
          notes.addAll(grid.coverage().notes());
          if (missing > 0) {
            new MissingLines(session).write(grid.coverage());
          }
        }
        writer.write();
        progress.advance(next.size(), 0);
      }
      writer.finish();
      opened.complete();
    }
    notes.forEach(session::note);
    return incomplete;
  }

  private Map<Long, String> offsets() {
    TreeMap<Long, String> found = new TreeMap<>();
    for (String text : offsets.get()) {
      found.put(offset(text.strip()), text.strip());
    }
    if (found.size() > MAX_OFFSETS) {
      throw new UsageException("more than " + MAX_OFFSETS + " offsets");
    }
    return found.isEmpty() ? Map.of(0L, "") : found;
  }

  private static long offset(String text) {
    boolean negative = text.startsWith("-");
    Duration length;
    try {
      length = DurationArgument.parse(negative || text.startsWith("+") ? text.substring(1) : text);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--offset " + e.getMessage(), e);
    }
    if (length.compareTo(LONGEST_OFFSET) > 0) {
      throw new UsageException("--offset " + text + " is longer than 36500d");
    }
    return negative ? -length.toNanos() : length.toNanos();
  }
}
