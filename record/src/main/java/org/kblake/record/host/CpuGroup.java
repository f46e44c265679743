package org.kblake.record.host;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.record.group.ListFile;
import org.kblake.record.group.RecordList;
import org.kblake.record.host.Rows.Counter;
import org.kblake.record.perf.PerfSettings;

/** The group of a core, {@code HOST/CPU0}: samples of perf, and what /proc/stat counts. */
public record CpuGroup(int core) {

  private static final String NAME = "CPU";
  private static final String MARK = ":USER";

  /** Returns the group {@code HOST/CPUn}. */
  public Group group() {
    return new Group(HostGroup.SYSTEM, NAME + core);
  }

  /** Returns the one that is a group, or null. */
  public static @Nullable CpuGroup of(Group group) {
    String name = group.name();
    return group.system().equals(HostGroup.SYSTEM) && name.matches(NAME + "\\d{1,5}")
        ? new CpuGroup(Integer.parseInt(name.substring(NAME.length())))
        : null;
  }

  /** Returns the groups of the cores that the machine has now. */
  public static List<Group> present(HostSettings settings) {
    String first = settings.prefix() + ":" + NAME;
    return counters(settings).stream()
        .filter(name -> name.startsWith(first) && name.endsWith(MARK))
        .map(name -> name.substring(first.length(), name.length() - MARK.length()))
        .map(core -> new CpuGroup(Integer.parseInt(core)).group())
        .toList();
  }

  /** Returns the group's record list, which stays the same. */
  public ListFile list(HostSettings settings, PerfSettings perf) {
    Path file = settings.directory().resolve(ProcFormat.STAT.file());
    return new ListFile(
        file, () -> "", ignored -> RecordList.of(names(settings, perf), String.valueOf(file)));
  }

  private List<String> names(HostSettings settings, PerfSettings perf) {
    String first = settings.prefix() + ":" + NAME + core + ":";
    Stream<String> ofProc = counters(settings).stream().filter(name -> name.startsWith(first));
    return Stream.concat(Stream.of(perf.channel(core)), ofProc).toList();
  }

  private static List<String> counters(HostSettings settings) {
    try (ProcFiles files = new ProcFiles(settings, List.of(ProcFormat.STAT))) {
      files.sample();
      return files.counters().map(Counter::name).toList();
    }
  }
}
