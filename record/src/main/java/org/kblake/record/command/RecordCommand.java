package org.kblake.record.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.TableOptions;
import org.kblake.cli.frame.Values;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.cli.settings.Settings;
import org.kblake.core.model.Group;
import org.kblake.record.group.ArchiveLists;

/** {@code kblake record}: records live channels as logs. */
public final class RecordCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("record", "Record live EPICS channels as logs, until stopped.")
          .description(
              "",
              "Receives the events of the channels of groups over Channel Access (pva://NAME:"
                  + " over PV Access), and writes them into the archive as kblog does. It never writes to a channel. A group that"
                  + " another program records is refused. The names of a group's channels are in"
                  + " SYS/LCF/NAME.lcf, or where the table [record] of kblake.toml says.",
              "",
              "Servers are found by EPICS_CA_ADDR_LIST and the other variables of Channel Access;"
                  + " EPICS_CA_AUTO_ADDR_LIST means NO if it is not set.",
              "",
              "Logs its work on standard error, one line per event. SIGHUP makes it read the lists"
                  + " again, and SIGUSR1 begin new pairs. With listen = \"HOST:PORT\" in [record] it"
                  + " answers /metrics, /health and /ready.")
          .footer(
              "  kblake record --check",
              "  kblake record VA/CCG --sync interval",
              "  kblake record --standby");

  private final Values<String> groups =
      model.arguments(
          String.class,
          "GROUP",
          "Groups, SYSTEM/NAME; default: those of [record], else those of KEKBLog.list with an LCF.");

  private final TableOptions options = model.table(RecordSetting.TABLE);

  private final Flag standby =
      model.flag(
          "Stand by while another recorder with this option is active, and take over when it ends.",
          "--standby");

  private final Flag check =
      model.flag(
          "Read the lists, try to connect, print the channels, and end. Writes nothing.",
          "--check");

  public RecordCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    if (check.isSet()) {
      return Stoppable.run(
          session,
          "nothing was written",
          () -> new ConnectionCheck(session, plan(), this::plan).run());
    }
    return Stoppable.runToItsEnd(session, "the logs are complete", this::record);
  }

  private int record() throws IOException {
    RecordPlan plan = plan();
    if (standby.isSet() && plan.settings().isOfThisMachine()) {
      throw new UsageException(
          "--standby: another machine has other counters; leave it out with source host or cpu");
    }
    RunLog log =
        new RunLog(
            session.err(),
            session.environment().clock(),
            plan.settings().get(RecordSetting.LOG_FORMAT),
            session.quiet());
    log.takeOverLibraries();
    try {
      Map<String, String> variables = session.environment().variables();
      new RecordProcess(plan, this::plan, log, variables, standby.isSet()).run();
      return ExitStatus.DONE;
    } catch (InterruptedException e) {
      // The log reports it.
      return ExitStatus.INTERRUPTED;
    }
  }

  /** Reads the settings. The process calls this at its start and after SIGHUP. */
  private RecordPlan plan() throws IOException {
    List<String> problems = new ArrayList<>();
    Settings settings = session.readSettings(null, problems::add);
    RecordSettings record = RecordSettings.of(settings, options.given(), problems::add);
    if (!problems.isEmpty()) {
      throw new UsageException(String.join("; ", problems));
    }
    Path root = settings.archive();
    List<Group> chosen = named();
    if (chosen.isEmpty()) {
      chosen = record.groupsToRecord();
    }
    // Groups that are named wait for the archive's volume.
    if (!Files.isDirectory(root) && (chosen.isEmpty() || check.isSet())) {
      throw new RequestException("archive is no directory; mount or create it: archive=" + root);
    }
    if (chosen.isEmpty()) {
      throw new RequestException(
          "no group; name one, or write groups = \"SYSTEM/NAME\" into [record] of kblake.toml, or"
              + " list it in SYS/KEKBLog.list and SYS/LCF/NAME.lcf: archive="
              + root);
    }
    for (Group group : chosen) {
      if (group.system().equals(ArchiveLists.LEDGERS)) {
        throw new RequestException(
            "group is a ledger, which recorders write by themselves: group=" + group);
      }
    }
    return new RecordPlan(root, chosen, record);
  }

  private List<Group> named() {
    try {
      return groups.get().stream().map(Group::parse).distinct().toList();
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }
}
