package org.kblake.cli.command.service;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.command.shared.ExpectedStore;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.WriteFailure;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Values;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.handover.LockHolder;
import org.kblake.cli.handover.ServiceRequest;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.model.Group;
import org.kblake.format.argument.ByteSize;
import org.kblake.ingest.internal.live.GroupRemoval;
import org.kblake.ingest.internal.live.state.EvictedSpans;

/** {@code kblake forget}: removes what the store keeps of groups that the archive does not have. */
public final class ForgetCommand implements Command {

  private static final String ADVICE = "groups that are named above are forgotten";

  private final Session session;
  private final CommandModel model =
      CommandModel.of("forget", "Remove groups from the store that the archive does not have.")
          .description(
              "",
              "A directory of the archive that has another name for some seconds leaves a group in"
                  + " the store, which kblake run reports as away from then on. This command"
                  + " removes its columns, its pin, its evicted stretches and its copies in the"
                  + " mirror. Its blocks are unlinked after 15 minutes. The archive is not changed.",
              "",
              "A group is kept, and the status is 1, if the archive has a pair of it. It is also"
                  + " kept if its volume may only be away, if SYS/KEKBLog.list has it, or if the"
                  + " store replaces the logs (retain); --force removes it then.",
              "",
              "Standard output has a line for each group: its blocks, the log in them, their size."
                  + " If kblake run has locked the store, that process removes the group.")
          .footer(
              "  kblake forget -g VA.old/CCG --dry-run",
              "  kblake forget -g VA.old/CCG",
              "  kblake forget -g RF/Gone --force");

  private final Values<Group> groups =
      model.requiredValues(
          Group.class,
          "GROUP",
          "The group, SYSTEM/NAME; may be given more than once.",
          "-g",
          "--group");

  private final Flag dryRun =
      model.flag("Remove nothing. Print what would be removed.", "-n", "--dry-run");

  private final Flag force =
      model.flag(
          "Remove also a group that may be away, or whose only copy is the store.", "--force");

  public ForgetCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    return Stoppable.run(session, () -> ADVICE, this::forgetAll);
  }

  private int forgetAll() throws IOException, InterruptedException {
    Archive archive = session.settings().openArchive();
    RunSettings run = RunSettings.of(session.settings());
    try (Writer out = session.text();
        Store store = Store.open(session.settings().store(), null)) {
      List<Group> chosen = GroupChoice.of(groups.get(), store.listedGroups().groups(), "the store");
      for (Group group : chosen) {
        String refusal =
            GroupRemoval.refusal(archive, group, run.get(RunSetting.RETAIN), force.isSet());
        if (refusal != null) {
          throw new RequestException("group is kept: " + refusal);
        }
        String line = line(store, group);
        if (!dryRun.isSet()) {
          forget(archive, store, group);
        }
        out.append(dryRun.isSet() ? "would forget " : "forgot ").append(line).append('\n');
        out.flush();
      }
    }
    return ExitStatus.DONE;
  }

  private static String line(Store store, Group group) throws IOException {
    List<String> damaged = new ArrayList<>();
    long rawBytes = 0;
    long storedBytes = 0;
    List<Block> blocks = store.blocks(group, problem -> damaged.add(problem.file().toString()));
    for (Block block : blocks) {
      rawBytes += block.summary().rawBytes();
      storedBytes += block.storedBytes();
    }
    return "%s: %d blocks of %s of log, %s%s"
        .formatted(
            group,
            blocks.size(),
            new ByteSize(rawBytes),
            new ByteSize(storedBytes),
            damaged.isEmpty() ? "" : ", and " + damaged.size() + " damaged blocks");
  }

  private void forget(Archive archive, Store read, Group group)
      throws IOException, InterruptedException {
    try (Store store =
        Store.openForWriting(
            read.directory(),
            ExpectedStore.of(archive, ExpectedStore.profile(read.directory(), null)))) {
      GroupRemoval.remove(store, new EvictedSpans(store.directory()), group);
    } catch (StoreException.Locked e) {
      LockHolder holder = LockHolder.parse(e.holder());
      if (holder == null || !holder.takesRequests() && holder.unreachable() == null) {
        throw e;
      }
      ServiceRequest.send(
          read.directory(), HandoverRequest.forget(group, force.isSet()), session::note);
    } catch (IOException e) {
      throw WriteFailure.explained(e, read.directory(), ADVICE);
    }
  }
}
