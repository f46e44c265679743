package org.kblake.cli.command.answer;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;

/** Notes on requested names that are former names of channels. */
public final class FormerNameNotes {

  private FormerNameNotes() {}

  /** Writes a note on each name that is a former name of a channel that is not requested. */
  public static void write(Session session, ArchiveReader archive, ChannelSelection selection)
      throws IOException {
    if (session.settings().metadata() == null) {
      return;
    }
    Set<String> names = new LinkedHashSet<>();
    for (ChannelPattern pattern : selection.patterns()) {
      names.addAll(pattern.possibleNames());
    }
    if (names.isEmpty()) {
      return;
    }
    List<Group> groups = selection.groups().isEmpty() ? archive.groups() : selection.groups();
    for (Group group : groups) {
      List<ChannelMetadata> renamed = archive.renamed(group);
      for (String name : names) {
        List<String> present =
            renamed.stream()
                .filter(each -> each.formerNames().contains(name))
                .map(each -> each.channel().name())
                .sorted()
                .toList();
        if (!present.isEmpty() && present.stream().noneMatch(names::contains)) {
          session.note(
              name
                  + " is a former name; ask for "
                  + String.join(" or ", present)
                  + " to read the whole channel");
        }
      }
    }
  }
}
