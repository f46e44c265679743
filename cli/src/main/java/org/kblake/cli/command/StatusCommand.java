package org.kblake.cli.command;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.argument.NearestNames;
import org.kblake.cli.frame.ExitStatus;
import org.kblake.cli.frame.RequestException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Settings;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.model.Group;
import org.kblake.core.store.Store;
import org.kblake.core.store.StoreException;
import org.kblake.core.store.StoreIdentity;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kblake status}: what there is, how much of it is in columns, and what is wrong. */
@Command(
    name = "status",
    header = "Show how archive and columns stand.",
    description = {
      "",
      "A line per group: pairs, from when to when, size of the logs, the share of it that is in"
          + " columns, size and number of the blocks, growth per day in the last week, and how far"
          + " the columns are behind the newest event.",
      "",
      "Problems are named on standard error; the status is 3 then. Nothing but sizes and ends of"
          + " files is looked at: kblake verify looks at all of it."
    },
    footer = {"  kblake status", "  kblake status -f json"})
public final class StatusCommand implements Callable<Integer> {

  /** How to print; the names are the option's values. */
  enum Form {
    text,
    json
  }

  private final Session session;

  @Option(
      names = {"-g", "--group"},
      paramLabel = "GROUP",
      description = "Only this group, SYSTEM/NAME; may be given more than once.")
  private List<Group> groups = new ArrayList<>();

  @Option(
      names = {"-f", "--format"},
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}; preset: ${DEFAULT-VALUE}.")
  private Form form = Form.text;

  public StatusCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    List<String> problems = new ArrayList<>();
    Archive archive = session.settings().openArchive();
    List<GroupStatus> statuses = new ArrayList<>();
    try (OptionalStore store = OptionalStore.of(session.settings(), archive)) {
      GroupSurvey survey = new GroupSurvey(archive, store.store);
      for (Group group : chosen(known(archive, store.store, problems))) {
        statuses.add(survey.of(group));
      }
    }
    StatusReport report =
        new StatusReport(session.settings(), List.copyOf(problems), List.copyOf(statuses));
    Writer out = session.text();
    switch (form) {
      case text -> report.writeText(out);
      case json -> report.writeJson(out);
    }
    out.flush();
    List<String> all = report.allProblems();
    all.forEach(session::complain);
    return all.isEmpty() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }

  private static List<Group> known(Archive archive, @Nullable Store store, List<String> problems)
      throws IOException {
    Set<Group> known = new LinkedHashSet<>(archive.groups(problems::add));
    if (store != null) {
      known.addAll(store.groups());
    }
    return List.copyOf(known);
  }

  private List<Group> chosen(List<Group> known) {
    for (Group group : groups) {
      if (!known.contains(group)) {
        throw new RequestException(
            "no such group: "
                + group
                + NearestNames.hint(
                    group.toString(), known.stream().map(Group::toString).toList()));
      }
    }
    return groups.isEmpty() ? known : List.copyOf(new LinkedHashSet<>(groups));
  }

  /** A store that need not be there yet. */
  private static final class OptionalStore implements AutoCloseable {

    private final @Nullable Store store;

    private OptionalStore(@Nullable Store store) {
      this.store = store;
    }

    static OptionalStore of(Settings settings, Archive archive) throws IOException {
      if (!settings.hasStore()) {
        return new OptionalStore(null);
      }
      ArchiveSettings asked = archive.settings();
      StoreIdentity identity =
          StoreIdentity.of(
              archive.root(),
              asked.zone().getId(),
              asked.disorderBoundNanos(),
              asked.layouts().get(0).name(),
              "any");
      try {
        return new OptionalStore(Store.open(settings.store(), identity));
      } catch (StoreException.Missing e) {
        return new OptionalStore(null);
      }
    }

    @Override
    public void close() throws IOException {
      if (store != null) {
        store.close();
      }
    }
  }
}
