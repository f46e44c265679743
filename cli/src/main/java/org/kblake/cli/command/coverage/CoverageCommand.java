package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.OutputFile;
import org.kblake.cli.command.shared.ChannelPatterns;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.KnownGroups;
import org.kblake.cli.command.shared.OptionalStore;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Values;
import org.kblake.cli.process.Window;
import org.kblake.cli.progress.Progress;
import org.kblake.cli.progress.ProgressUnit;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.NearestNames;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;
import org.kblake.format.argument.TimeArgument.Bound;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.Losses;
import org.kblake.query.question.ChannelPattern;

/** {@code kblake coverage}: shows the state of each group's log over time. */
public final class CoverageCommand implements Command {

  private static final int MIN_WIDTH = 30;

  private final Session session;
  private final CommandModel model =
      CommandModel.of("coverage", "Show which times are in columns, and which are not.")
          .description(
              "",
              "Prints a strip over time for each group, and the share of its recorded time that is"
                  + " in columns. A character shows the first of these states that its time has:"
                  + " damaged (bytes of the log, or a block), volume gone (not in columns, and the"
                  + " files cannot be read), archiver down (nothing was written), raw only (not in"
                  + " columns), pending (being written, and less than an hour old), in columns, not"
                  + " recorded. So a minute of damage is visible in a year. -f json has the exact"
                  + " times.",
              "",
              "GROUP is SYSTEM/NAME or a glob: * is any text, ? any character, [abc] one of these."
                  + " Without --from and --to the range is everything that archive and store have of"
                  + " the groups.",
              "",
              "Of logs that are not in columns the indexes are read, and the log only around times"
                  + " when the archiver may have been down. Damage elsewhere in them is therefore"
                  + " unknown. Files that cannot be read are reported on standard error, and the"
                  + " status is then 3.")
          .footer(
              "  kblake coverage",
              "  kblake coverage 'VA/*' RF/AnalogData",
              "  kblake coverage --from 20240520 --to 20240521 -f json",
              "  kblake coverage -o coverage.svg");

  private final Values<String> groups =
      model.arguments(
          String.class, "GROUP", "A group or a glob, or several with commas between them.");

  private final OptionalValue<TimeArgument> from =
      model.value(TimeArgument.class, "TIME", "The begin of the range.", "--from");

  private final OptionalValue<TimeArgument> to =
      model.value(TimeArgument.class, "TIME", "The end of the range.", "--to");

  private final OptionalValue<CoverageForm> format =
      model.value(
          CoverageForm.class,
          "FORMAT",
          "${COMPLETION-CANDIDATES}; default: the ending of -o FILE, else text.",
          "-f",
          "--format");

  private final OptionalValue<Path> output =
      model.value(
          Path.class,
          "FILE",
          "Write to this file, such as coverage.svg. - is standard output.",
          "-o",
          "--output");

  public CoverageCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    Path file = output.get();
    file = file == null || OutputFile.isStandardStream(file) ? null : session.path(file);
    CoverageForm form = form(file);
    if (file != null) {
      OutputFile.check(session.settings().archive(), file);
    }
    Archive archive = session.settings().openArchive();
    List<String> problems = new ArrayList<>();
    try (OptionalStore store = OptionalStore.of(session.settings(), problems::add)) {
      KnownGroups known = KnownGroups.of(session.settings(), archive, store.store());
      if (groups.get().isEmpty()) {
        problems.addAll(known.problems());
        if (known.all().isEmpty() && problems.isEmpty()) {
          throw GroupChoice.noGroups(archive);
        }
      }
      known.notes().forEach(session::note);
      HistorySurvey survey = new HistorySurvey(archive, known, store.store(), now());
      Histories histories = write(survey, store, chosen(known), form, file);
      histories.losses().notes().forEach(session::note);
      problems.addAll(histories.problems());
      problems.forEach(session::incomplete);
      if (histories.isEmpty()) {
        session.note(survey.emptyNote(histories));
      }
      return problems.isEmpty() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
    }
  }

  private Histories write(
      HistorySurvey survey,
      OptionalStore store,
      List<Group> chosen,
      CoverageForm form,
      @Nullable Path file)
      throws IOException {
    // Each group is listed, and then its blocks and indexes are read.
    try (Progress progress =
        session.progress("coverage", 2L * chosen.size(), ProgressUnit.GROUPS)) {
      for (Group group : chosen) {
        survey.list(group);
        progress.advance(1, 0);
      }
      TimeRange range = range(survey);
      Histories histories =
          new Histories(
              range,
              session.settings().outZone(),
              chosen,
              losses(store, chosen, range),
              group -> {
                progress.advance(1, 0);
                return survey.history(group, range);
              });
      write(histories, form, file, progress);
      return histories;
    }
  }

  private Losses losses(OptionalStore opened, List<Group> chosen, TimeRange range)
      throws IOException {
    ArchiveReader.Builder reader =
        ArchiveReader.builder()
            .archive(session.settings().archive())
            .settings(session.settings().archiveSettings())
            .withoutAdmission();
    Store store = opened.store();
    if (store != null) {
      reader.store(store.directory());
    }
    try (ArchiveReader archive = reader.open()) {
      return archive.losses(chosen, range);
    }
  }

  private CoverageForm form(@Nullable Path file) {
    CoverageForm form = format.get();
    if (form == null) {
      form = file == null ? CoverageForm.text : CoverageForm.ofFile(file);
    }
    if (form == null) {
      throw new UsageException(
          "unknown ending of -o "
              + file
              + ": write .svg, .png, .json or .txt, or select a format with -f");
    }
    if (form == CoverageForm.png && file == null && session.outIsTerminal()) {
      throw new UsageException("png is binary and not for a terminal; give -o FILE, or a pipe");
    }
    return form;
  }

  private List<Group> chosen(KnownGroups known) {
    List<String> names = known.all().stream().map(Group::toString).toList();
    List<Group> wanted = new ArrayList<>();
    for (ChannelPattern pattern : ChannelPatterns.meant(groups.get(), names, false)) {
      if (pattern.isName()) {
        wanted.add(group(pattern.text()));
        continue;
      }
      Predicate<String> matcher = pattern.matcher();
      List<Group> matching =
          known.all().stream().filter(group -> matcher.test(group.toString())).toList();
      if (matching.isEmpty()) {
        throw new RequestException(
            "no such group in archive and store: "
                + pattern.text()
                + NearestNames.hint(pattern.text(), names));
      }
      wanted.addAll(matching);
    }
    return known.chosen(wanted, "archive and store");
  }

  private static Group group(String text) {
    try {
      return Group.parse(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private long now() {
    return EpochNanos.of(session.now());
  }

  private TimeRange range(HistorySurvey survey) {
    TimeRange all = survey.everything();
    TimeArgument begin = from.get();
    TimeArgument end = to.get();
    long fromNanos = begin == null ? all.fromNanos() : nanos(begin, Bound.FROM);
    long toNanos = end == null ? Math.max(all.toNanos(), fromNanos + 1) : nanos(end, Bound.TO);
    if (begin == null) {
      fromNanos = Math.min(fromNanos, toNanos - 1);
    }
    if (fromNanos >= toNanos) {
      throw new UsageException(
          "--from %s is not earlier than --to %s"
              .formatted(
                  TimeArgument.text(fromNanos, session.settings().outZone()),
                  TimeArgument.text(toNanos, session.settings().outZone())));
    }
    return new TimeRange(fromNanos, toNanos);
  }

  private long nanos(TimeArgument time, Bound bound) {
    try {
      return time.nanos(session.settings().outZone(), session.now(), bound);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private void write(Histories histories, CoverageForm form, @Nullable Path file, Progress progress)
      throws IOException {
    if (form == CoverageForm.text) {
      writeText(histories, file, progress);
    } else if (file == null) {
      if (session.outIsTerminal()) {
        progress.close();
      }
      writeGroups(histories, form, session.out());
      session.out().flush();
    } else {
      write(file, out -> writeGroups(histories, form, out));
    }
  }

  private void write(Path file, Content content) throws IOException {
    try (OutputFile opened = OutputFile.create(session.settings().archive(), file)) {
      content.write(opened.out());
      opened.complete();
    }
  }

  private interface Content {
    void write(OutputStream out) throws IOException;
  }

  /** Writes each group when its states are found. */
  static void writeGroups(Histories histories, CoverageForm form, OutputStream out)
      throws IOException {
    if (form == CoverageForm.json) {
      HistoryJson.write(histories, out);
    } else {
      StripPicture.write(histories, form, out);
    }
  }

  private void writeText(Histories histories, @Nullable Path file, Progress progress)
      throws IOException {
    boolean standard = file == null;
    List<String> lines =
        StripText.of(
            histories,
            Math.max(MIN_WIDTH, standard ? session.outColumns() : Window.USUAL.columns()),
            standard && session.outShowsUnicode(),
            standard && session.outIsColored());
    progress.close();
    Content content =
        out -> {
          for (String line : lines) {
            out.write((line.stripTrailing() + "\n").getBytes(StandardCharsets.UTF_8));
          }
        };
    if (file == null) {
      content.write(session.out());
      session.out().flush();
    } else {
      write(file, content);
    }
  }
}
