package org.kblake.cli.check;

import org.jspecify.annotations.Nullable;

/**
 * The age of a group's newest event.
 *
 * @param group the group
 * @param seconds the time since the newest event; null if the archive does not show the group
 * @param own the thresholds of this group; null for those of all groups
 */
public record GroupAge(String group, @Nullable Long seconds, @Nullable Thresholds own) {

  Thresholds thresholds(Thresholds ofAll) {
    return own == null ? ofAll : own;
  }
}
