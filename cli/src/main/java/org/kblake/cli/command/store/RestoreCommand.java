package org.kblake.cli.command.store;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.kblake.cli.command.shared.GroupChoice;
import org.kblake.cli.command.shared.WriteFailure;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.cli.frame.Values;
import org.kblake.cli.progress.Progress;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.core.archive.FileTree;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.model.Group;
import org.kblake.format.argument.ByteSize;
import org.kblake.ingest.internal.verify.Restore;

/** {@code kblake restore}: writes logs again from columns. */
public final class RestoreCommand implements Command {

  private static final String ADVICE = "files with their final names are complete";

  private final Session session;
  private final CommandModel model =
      CommandModel.of("restore", "Write logs again from the store, byte for byte.")
          .description(
              "",
              "Writes index and log of every pair that is completely in the store, with their"
                  + " modification times, to DIR/SYSTEM/. Verifies each file by the hashes of the"
                  + " original. A file gets its name when it is complete. Existing files are not"
                  + " overwritten, and links below DIR are not followed. No archive is needed.",
              "",
              "Standard output has the names of the files. Standard error names pairs that are not"
                  + " completely in the store. The status is then 3, or 1 if no pair was written.")
          .footer("  kblake restore -g VA/CCG --into restored");

  private final Values<Group> groups =
      model.requiredValues(
          Group.class,
          "GROUP",
          "The group, SYSTEM/NAME; may be given more than once.",
          "-g",
          "--group");

  private final Value<Path> into =
      model.required(
          Path.class,
          "DIR",
          "The root of the tree to write. It is created if it does not exist, and must"
              + " not be an archive.",
          "--into");

  private final Value<ByteSize> memory =
      model.preset(
          ByteSize.class,
          "512M",
          "SIZE",
          "Memory for events. Default: ${DEFAULT-VALUE}.",
          "--memory");

  /** The bytes of log in the blocks of the groups. */
  private long totalBytes;

  private long doneBytes;

  public RestoreCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    Path target = session.path(into.get()).toAbsolutePath().normalize();
    try (Store store = Store.open(session.settings().store(), null)) {
      refuseInside(target, Path.of(store.identity().archive()), "the archive");
      // The archive may have moved since the store was made
      if (session.settings().isSet(CommonSetting.ARCHIVE)) {
        refuseInside(target, session.settings().archive(), "the archive");
      }
      refuseInside(target, store.directory(), "the store");
      List<Group> chosen =
          GroupChoice.ofStore(groups.get(), store.listedGroups(), session::incomplete);
      for (Group group : chosen) {
        for (Block block : store.blocks(group, damaged -> {})) {
          totalBytes += block.summary().rawBytes();
        }
      }
      return Stoppable.run(
          session, () -> extent() + "; " + ADVICE, () -> restore(store, chosen, target));
    }
  }

  private int restore(Store store, List<Group> chosen, Path target)
      throws IOException, InterruptedException {
    int restored = 0;
    int refused = 0;
    Restore restore = new Restore(store, LogLayout.installed(), memory.get().bytes());
    // A bar and names of files would mix on a terminal.
    StringBuilder later = new StringBuilder();
    try (Writer out = session.text()) {
      try (Progress progress = session.progress("restore", totalBytes)) {
        for (Group group : chosen) {
          Restore.Result result =
              restore.run(
                  group,
                  target,
                  bytes -> {
                    doneBytes += bytes;
                    progress.advance(bytes, 0);
                  });
          restored += result.restored().size();
          refused += result.refused().size();
          print(target, group, result, session.outIsTerminal() ? later : out, progress);
          out.flush();
        }
      } finally {
        out.append(later);
      }
    } catch (IOException e) {
      throw WriteFailure.explained(e, target, ADVICE);
    }
    if (restored == 0) {
      return ExitStatus.NOT_ANSWERED;
    }
    return refused == 0 ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }

  /** Returns how far the work got. */
  private String extent() {
    return new ByteSize(doneBytes) + " of " + new ByteSize(totalBytes) + " of log are done";
  }

  private void print(
      Path target, Group group, Restore.Result result, Appendable out, Progress progress)
      throws IOException {
    Path directory = target.resolve(group.system());
    for (String stamp : result.restored()) {
      for (String ending : List.of(".log1", ".log2")) {
        out.append(directory.resolve(group.name() + "_" + stamp + ending).toString()).append('\n');
      }
    }
    for (Map.Entry<String, String> refusal : result.refused().entrySet()) {
      progress.printLine(
          session.incompleteLine(
              "%s: not restored: pair=%s, %s"
                  .formatted(group, refusal.getKey(), refusal.getValue())));
    }
    if (result.restored().isEmpty() && result.refused().isEmpty()) {
      progress.printLine(group + ": the store has no pair of it");
    }
  }

  private static void refuseInside(Path target, Path root, String what) throws IOException {
    if (new FileTree(root).holds(target)) {
      throw new RequestException(
          "--into is inside %s: directory=%s; name another directory".formatted(what, target));
    }
  }
}
