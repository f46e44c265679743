package org.kblake.record.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.record.group.ListFile;
import org.kblake.record.group.RecordList;
import org.kblake.record.host.Rows.Counter;

/** The groups of a machine's counters. */
public enum HostGroup {
  /** Cores and load. */
  CPU,
  /** Memory. */
  MEM,
  /** Interfaces. */
  NET,
  /** Whole disks. */
  DISK;

  static final String SYSTEM = "HOST";

  private List<ProcFormat> formats() {
    return switch (this) {
      case CPU -> List.of(ProcFormat.STAT, ProcFormat.LOADAVG);
      case MEM -> List.of(ProcFormat.MEMINFO);
      case NET -> List.of(ProcFormat.NET_DEV);
      case DISK -> List.of(ProcFormat.DISKSTATS);
    };
  }

  /** Returns the group {@code HOST/NAME}. */
  public Group group() {
    return new Group(SYSTEM, name());
  }

  /** Returns the one that is a group, or null. */
  public static @Nullable HostGroup of(Group group) {
    return Arrays.stream(values())
        .filter(each -> each.group().equals(group))
        .findFirst()
        .orElse(null);
  }

  /** Returns the groups of which the machine has counters now. */
  public static List<Group> present(HostSettings settings) {
    return Arrays.stream(values())
        .filter(each -> !each.names(settings, new LinkedHashSet<>()).isEmpty())
        .map(HostGroup::group)
        .toList();
  }

  /**
   * Returns the group's record list, which the machine gives. A device that appears is appended.
   * One that disappears stays in the list of this object.
   */
  public ListFile list(HostSettings settings) {
    Path file = settings.directory().resolve(formats().get(0).file());
    Set<String> known = new LinkedHashSet<>();
    return new ListFile(
        file,
        () -> String.join("\n", names(settings, known)),
        ignored -> RecordList.of(names(settings, known), String.valueOf(file)));
  }

  private List<String> names(HostSettings settings, Set<String> known) {
    try (ProcFiles files = new ProcFiles(settings, formats())) {
      files.sample();
      files.counters().map(Counter::name).forEach(known::add);
    }
    return new ArrayList<>(known);
  }
}
