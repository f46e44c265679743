package org.kblake.record.group;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.record.log.RecordClock;

/**
 * Reads the lists of groups that have changed, and keeps those of the archive, one write of them at
 * a time. For the polling thread.
 */
final class ListWork {

  private static final long READ_NANOS = 1_000_000_000;

  private final ArchiveLists lists;
  private final FileQueue files;
  private final RecordClock clock;
  private final List<Listed> groups = new ArrayList<>();

  /** Groups whose lists are read in any case. */
  private final Set<Listed> asked = new LinkedHashSet<>();

  /** Groups that the archive's lists do not have yet as they are. */
  private final Set<Listed> unkept = new LinkedHashSet<>();

  private boolean isKeeping;
  private long readNanos;

  /** A group and what is known of its list. */
  private static final class Listed {
    final GatheredGroup work;
    final boolean isInMemory;
    List<String> names;
    String problem = "";
    boolean isRemoved;

    /** Whether a read was not taken yet. */
    boolean isReading;

    Listed(GatheredGroup work, boolean isInMemory, List<String> names) {
      this.work = work;
      this.isInMemory = isInMemory;
      this.names = names;
    }
  }

  /** One read of a group's list. */
  private static final class Read {
    final Listed listed;
    final boolean isAsked;
    private final boolean isForced;
    private @Nullable RecordList list;
    private @Nullable Exception problem;

    Read(Listed listed, boolean isAsked) {
      this.listed = listed;
      this.isAsked = isAsked;
      isForced = isAsked || listed.names.isEmpty();
    }

    void read() {
      try {
        ListFile file = listed.work.file;
        list = isForced ? file.read() : file.readIfChanged();
      } catch (IOException | RuntimeException e) {
        problem = e;
      }
    }
  }

  /** One write of the archive's lists for a group. */
  private static final class Keep {
    final Listed listed;
    private final List<String> names;
    private boolean isKept;
    private @Nullable Exception problem;

    Keep(Listed listed) {
      this.listed = listed;
      names = listed.work.recording().records().names();
    }

    void keep(ArchiveLists lists, List<Path> inputs) {
      try {
        isKept = lists.keep(listed.work.group(), names, inputs);
      } catch (IOException | RuntimeException e) {
        problem = e;
      }
    }
  }

  ListWork(ArchiveLists lists, FileQueue files, RecordClock clock) {
    this.lists = lists;
    this.files = files;
    this.clock = clock;
    readNanos = clock.monotonicNanos();
  }

  /**
   * Adds a group whose channels are open.
   *
   * @param isInMemory whether its list is read by the polling thread, and only if this is asked for
   */
  void add(GatheredGroup work, boolean isInMemory, List<String> names) {
    Listed listed = new Listed(work, isInMemory, names);
    groups.add(listed);
    unkept.add(listed);
  }

  /** Forgets a group. */
  void remove(GatheredGroup work) {
    groups.stream().filter(each -> each.work == work).forEach(each -> each.isRemoved = true);
    groups.removeIf(each -> each.isRemoved);
    asked.removeIf(each -> each.isRemoved);
    unkept.removeIf(each -> each.isRemoved);
  }

  /** Lets the lists of all groups be read. */
  void ask() {
    asked.addAll(groups);
  }

  /** Lets the list of a group be read. */
  void ask(Group group) {
    groups.stream().filter(each -> each.work.group().equals(group)).forEach(asked::add);
  }

  /** Reads and keeps lists, if this is due. A list that was not taken yet is not read again. */
  void turn() {
    long now = clock.monotonicNanos();
    boolean isDue = now - readNanos >= READ_NANOS;
    readNanos = isDue ? now : readNanos;
    if (!isKeeping) {
      keep(isDue);
    }
    for (Listed each : isDue ? groups : List.copyOf(asked)) {
      if (!each.isReading) {
        read(each, asked.remove(each));
      }
    }
  }

  private void keep(boolean isDue) {
    List<Keep> keeps = new ArrayList<>();
    for (Listed each : unkept) {
      boolean mayTry = each.problem.isEmpty() || isDue;
      if (mayTry && !each.work.isBusy() && !each.work.recording().records().isChanged()) {
        keeps.add(new Keep(each));
      }
    }
    if (keeps.isEmpty()) {
      return;
    }
    isKeeping = true;
    List<Path> inputs = groups.stream().map(each -> each.work.file.path()).toList();
    files.add(
        () -> keeps.forEach(each -> each.keep(lists, inputs)),
        () -> {
          isKeeping = false;
          keeps.forEach(this::end);
        });
  }

  private void read(Listed listed, boolean isAsked) {
    Read read = new Read(listed, isAsked);
    if (!listed.isInMemory) {
      listed.isReading = true;
      files.add(read::read, () -> end(read));
    } else if (read.isForced) {
      read.read();
      end(read);
    }
  }

  private void end(Read read) {
    read.listed.work.whenIdle(() -> take(read));
  }

  private void take(Read read) {
    Listed listed = read.listed;
    listed.isReading = false;
    GroupRecording recording = listed.work.recording();
    if (listed.isRemoved) {
      return;
    }
    try {
      if (recording.isRefused()) {
        if (read.isAsked) {
          recording.lookAgain();
        }
        open(listed, List.of());
      } else if (read.problem != null) {
        notice(listed, read.problem);
      } else if (read.list != null) {
        read.list.problems().forEach(listed.work.context()::notice);
        open(listed, read.list.names());
      }
    } catch (OversizedListException | RuntimeException e) {
      notice(listed, e);
    }
  }

  private void open(Listed listed, List<String> names) throws OversizedListException {
    if (!names.equals(listed.names)) {
      listed.work.open(names);
      listed.names = names;
      unkept.add(listed);
    }
  }

  private static void notice(Listed listed, Exception e) {
    listed.work.context().notice("the record list stays as it was: " + GroupContext.reason(e));
  }

  private void end(Keep keep) {
    Listed listed = keep.listed;
    GroupContext context = listed.work.context();
    String problem = "";
    if (keep.problem != null) {
      problem = "the archive's lists could not be written: " + keep.problem;
      if (!problem.equals(listed.problem)) {
        context.notice(problem);
      }
    } else {
      unkept.remove(listed);
      Path lcf = lists.lcf(context.group());
      if (!keep.isKept && !listed.work.file.path().equals(lcf)) {
        context.notice("the LCF has other names, and stays: no recorder wrote it: file=" + lcf);
      }
    }
    listed.problem = problem;
  }
}
