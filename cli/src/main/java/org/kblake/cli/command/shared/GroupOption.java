package org.kblake.cli.command.shared;

import java.util.List;
import org.kblake.cli.frame.Options;
import org.kblake.cli.frame.Values;
import org.kblake.core.model.Group;

/** The option of the groups that a command works on. */
public final class GroupOption {

  private final Values<Group> groups;

  /** Adds the option to a command. */
  public GroupOption(Options options) {
    groups =
        options.values(
            Group.class,
            "GROUP",
            "Only this group, SYSTEM/NAME; may be given more than once.",
            "-g",
            "--group");
  }

  /** The groups that the user named; none stands for all. */
  public List<Group> named() {
    return groups.get();
  }
}
