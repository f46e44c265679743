package org.kblake.record.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.cli.progress.ProgressUnit;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.ByteSize;
import org.kblake.record.importing.appliance.ApplianceSource;
import org.kblake.record.importing.appliance.PbChannel;
import org.kblake.record.importing.appliance.PbTree;

/** {@code kblake import aa}: writes files of the Archiver Appliance as logs. */
public final class ImportApplianceCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("aa", "Write files of the Archiver Appliance as logs of a group.")
          .description(
              "",
              "Reads all files *.pb below a directory, such as the long-term store of the"
                  + " appliance, merges their samples into one order, and writes them into the"
                  + " archive as kblog does. The files are only read.",
              "",
              "After a stop, and when the files have more, the same command continues. Pairs of"
                  + " other programs are never touched. docs/import.md has the rules.")
          .footer(
              "  kblake import aa /arch/lts --group AA/Vacuum 'VALCCG:*' --dry-run",
              "  kblake import aa /arch/lts --group AA/Vacuum 'VALCCG:*' --to 2026-01-01",
              "  kblake import aa /arch/lts --group AA/Vacuum --list names.txt")
          .statuses(
              "0:all samples are in the logs",
              "1:an error, see the message",
              "2:wrong arguments",
              "3:samples or channels were left out, which the messages name",
              "130:stopped by Ctrl-C");

  private final Value<Path> directory =
      model.argument(Path.class, "DIR", "The directory of the appliance's files.");

  private final ImportOptions options = new ImportOptions(model);

  public ImportApplianceCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    ImportWork work = new ImportWork(session, options);
    Path from = session.path(directory.get());
    if (!Files.isDirectory(from)) {
      throw new RequestException("no directory: " + from);
    }
    return Stoppable.run(session, ImportWork.ADVICE, () -> run(work, from));
  }

  private int run(ImportWork work, Path from) throws IOException, InterruptedException {
    PbTree tree = PbTree.read(from, work.report());
    if (tree.names().isEmpty()) {
      throw new RequestException("no files of the appliance, *.pb: directory=" + from);
    }
    List<String> names = work.channels(tree.names());
    if (options.isDryRun()) {
      work.print("FILES       SIZE", channels(tree, names, work.range()).stream().map(this::row));
      work.status();
      return ExitStatus.DONE;
    }
    return work.run(
        (rest, countedNanos) -> {
          List<PbChannel> chosen = channels(tree, names, rest);
          return new ImportWork.Opened(
              new ApplianceSource(chosen, rest, countedNanos, work.report()),
              chosen.stream().mapToLong(PbChannel::bytes).sum(),
              ProgressUnit.BYTES);
        });
  }

  private static List<PbChannel> channels(PbTree tree, List<String> names, TimeRange range) {
    List<PbChannel> channels = new ArrayList<>();
    for (String name : names) {
      PbChannel channel = tree.channel(name, range);
      if (channel != null) {
        channels.add(channel);
      }
    }
    return channels;
  }

  private ImportWork.Row row(PbChannel channel) {
    return new ImportWork.Row(
        channel.asSource(),
        channel.firstNanos(),
        channel.lastNanos(),
        "%5d  %9s".formatted(channel.fileCount(), new ByteSize(channel.bytes())));
  }
}
