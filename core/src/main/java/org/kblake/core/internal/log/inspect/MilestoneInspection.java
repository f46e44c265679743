package org.kblake.core.internal.log.inspect;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.IndexFile;
import org.kblake.core.internal.log.pair.MilestoneProbe;
import org.kblake.core.internal.log.pair.MilestoneTable;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.PairFileState;

/** Shows the milestone table of an index, and the entries that contradict the log. */
final class MilestoneInspection {

  /** The number of damaged entries that are reported although they are not shown. */
  private static final int MAX_UNSHOWN = 20;

  private final IndexFile index;
  private final Milestones known;
  private final List<Damage> damage = new ArrayList<>();

  MilestoneInspection(Path file, IndexFile index, MilestoneProbe probe, PairFileState fileState)
      throws IOException {
    this.index = index;
    Damage tableDamage = fileState.closed() ? index.tableDamage(file) : null;
    if (tableDamage != null) {
      damage.add(tableDamage);
    }
    // The time of a milestone is not shown if neither entry nor log has it.
    known = new MilestoneTable(file, 0, index, probe, fileState).read(damage);
    Map<Long, Integer> entryAt = new HashMap<>();
    for (int i = 0; i < index.milestoneEntries(); i++) {
      int at = index.entryAt(i);
      entryAt.putIfAbsent(index.layout().milestoneEntryOffset(index.bytes(), at), at);
    }
    for (int i = 0; i < known.count(); i++) {
      long offset = known.offset(i);
      Integer at = entryAt.get(offset);
      probe.at(offset);
      if (at != null && !probe.isMilestone()) {
        addContradicted(file, at, offset, "no milestone is there");
      } else if (at != null && probe.nanos() != known.nanos(i)) {
        addContradicted(file, at, offset, "the milestone there has another time");
      }
    }
  }

  /** Returns the milestones of the valid entries. */
  Milestones known() {
    return known;
  }

  void show(InspectionLimits limits, InspectionListener listener) {
    List<Damage> unreported = new ArrayList<>(damage);
    new MilestoneEntries(index, listener)
        .show(
            limits.milestones(),
            i -> {
              long offset = index.entryAt(i);
              unreported.stream()
                  .filter(found -> found.offset() == offset)
                  .forEach(found -> listener.damage(found.toString()));
              unreported.removeIf(found -> found.offset() == offset);
            });
    unreported.stream().limit(MAX_UNSHOWN).forEach(found -> listener.damage(found.toString()));
    if (unreported.size() > MAX_UNSHOWN) {
      listener.damage((unreported.size() - MAX_UNSHOWN) + " more index entries are damaged");
    }
  }

  private void addContradicted(Path file, int at, long offset, String found) {
    damage.add(
        new Damage(
            file,
            at,
            index.layout().milestoneEntryBytes(),
            "found log offset=" + offset + ", but " + found,
            Damage.Kind.INDEX));
  }
}
