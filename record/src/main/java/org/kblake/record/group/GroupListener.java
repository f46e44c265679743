package org.kblake.record.group;

import org.kblake.core.model.Group;

/** Hears what happens to a recorded group, from the recording thread. */
public interface GroupListener {

  /** Takes a gap in the log. */
  void gap(Group group, LogGap gap);

  /** Takes a line about something that a user must know. */
  void notice(Group group, String line);
}
