package org.kblake.cli.command.shared;

import java.util.ArrayList;
import java.util.List;
import org.kblake.core.model.Group;
import picocli.CommandLine.Option;

/** The option of the groups that a command works on. */
public final class GroupOption {

  @Option(
      names = {"-g", "--group"},
      paramLabel = "GROUP",
      description = "Only this group, SYSTEM/NAME; may be given more than once.")
  private List<Group> groups = new ArrayList<>();

  /** The groups that the user named; none stands for all. */
  public List<Group> named() {
    return groups;
  }
}
