package org.kblake.record.command;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.doctor.Diagnosis;
import org.kblake.cli.doctor.ExtensionTable;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.core.model.Group;
import org.kblake.format.argument.ByteSize;
import org.kblake.record.channelaccess.settings.EpicsEnvironment;
import org.kblake.record.group.ArchiveLists;
import org.kblake.record.group.RecordList;
import org.kblake.record.pvaccess.PvAccessSource;

/** Examines what a recorder needs: its lists, its archive, servers, memory. Writes nothing. */
final class RecordExamination {

  private static final String SUBJECT = ExtensionTable.RECORD;
  private static final String USER = "-u kblake-record";

  /** The heap without a group, and what each group and channel adds. */
  private static final long HEAP_BYTES = 64L << 20;

  private static final long HEAP_BYTES_OF_GROUP = 256 << 10;
  private static final long HEAP_BYTES_OF_CHANNEL = 1 << 10;

  private final RecordSettings settings;
  private final Path root;
  private final Map<String, String> variables;
  private final Consumer<Diagnosis> diagnoses;

  /**
   * @param root the archive's root
   * @param variables the environment variables, which a unit of systemd may have otherwise
   * @param diagnoses gets each result
   */
  RecordExamination(
      RecordSettings settings,
      Path root,
      Map<String, String> variables,
      Consumer<Diagnosis> diagnoses) {
    this.settings = settings;
    this.root = root;
    this.variables = variables;
    this.diagnoses = diagnoses;
  }

  /**
   * Examines.
   *
   * @throws IOException if KEKBLog.list cannot be read
   */
  void run() throws IOException {
    if (!Files.isDirectory(root.resolve("SYS"))) {
      problem(
          "the archive has no directory SYS: " + root,
          "mount its volume. A new archive needs one: mkdir " + root.resolve("SYS"));
      return;
    }
    List<Group> groups = settings.groupsToRecord();
    if (groups.isEmpty()) {
      problem(
          "nothing to record",
          "write groups = \"SYSTEM/NAME\" into [record], and names of channels into"
              + " SYS/LCF/NAME.lcf");
      return;
    }
    Map<Group, RecordList> lists = lists(groups);
    permissions(groups);
    if (!settings.isOfThisMachine()) {
      servers(lists.values().stream().flatMap(list -> list.names().stream()).toList());
    }
    Group recorded = running(groups);
    standby(recorded);
    listen(recorded != null);
    memory(lists.size(), lists.values().stream().mapToLong(list -> list.names().size()).sum());
  }

  private Map<Group, RecordList> lists(List<Group> groups) {
    Map<Group, RecordList> lists = new LinkedHashMap<>();
    for (Group group : groups) {
      try {
        RecordList list = settings.list(group, () -> new RecordPlan(root, groups, settings)).read();
        lists.put(group, list);
        list.problems()
            .forEach(mistake -> warning(group + ": " + mistake, "correct the list of the group"));
      } catch (NoSuchFileException e) {
        problem(group + ": no list: " + e.getFile(), "write a name of a channel in each line");
      } catch (IOException e) {
        problem(group + ": " + ErrorLine.of(e), "correct the list of the group");
      }
    }
    long channels = lists.values().stream().mapToLong(list -> list.names().size()).sum();
    ok("groups with a list: " + lists.size() + ", channels: " + channels);
    return lists;
  }

  private void permissions(List<Group> groups) {
    Set<Path> directories = new LinkedHashSet<>();
    directories.add(root.resolve("SYS"));
    directories.add(existing(ArchiveLists.LEDGERS));
    groups.forEach(group -> directories.add(existing(group.system())));
    List<Path> refused = directories.stream().filter(path -> !Files.isWritable(path)).toList();
    if (refused.isEmpty()) {
      ok("this user may write to the archive");
    } else {
      problem(
          "this user may not write to " + refused.get(0) + more(refused.size() - 1),
          "examine as the user of the recorder (sudo "
              + USER
              + " kblake doctor), give it this directory, and name it in ReadWritePaths of the"
              + " unit");
    }
  }

  private Path existing(String system) {
    Path directory = root.resolve(system);
    return Files.exists(directory) ? directory : root;
  }

  private static String more(int number) {
    return number == 0 ? "" : ", and " + number + " more";
  }

  private void servers(List<String> names) {
    boolean isPvAccessUsed =
        names.stream().anyMatch(name -> name.startsWith(PvAccessSource.PREFIX));
    for (String note : new LiveSources(variables).notes(settings, isPvAccessUsed)) {
      if (note.contains("_AUTO_ADDR_LIST is not set")) {
        ok(note);
      } else {
        warning(
            note,
            "set it in the environment of the recorder, with its unit in"
                + " /etc/kblake/record.environment");
      }
    }
    repeater(EpicsEnvironment.read(variables).settings().search().ports().repeater());
  }

  /** Looks whether a program has the port, as clients of Channel Access do. */
  private void repeater(int port) {
    try (DatagramSocket socket = new DatagramSocket(null)) {
      socket.setReuseAddress(false);
      socket.bind(new InetSocketAddress(port));
    } catch (SocketException e) {
      ok("a repeater of beacons (caRepeater) has port " + port);
      return;
    }
    warning(
        "no repeater of beacons at port " + port + ": restarted servers are noticed late",
        "start caRepeater of EPICS base on this machine");
  }

  /** Returns a group that a process of this machine records; null if there is none. */
  private @Nullable Group running(List<Group> groups) {
    LockTable locks = LockTable.ofProcess();
    for (Group group : groups) {
      Path lock = root.resolve(group.system()).resolve("." + group.name() + ".lock");
      Long process = locks.holder(lock);
      if (process != null) {
        ok("a recorder runs: pid=" + process + ", group=" + group);
        return group;
      }
    }
    ok("no recorder of these groups runs on this machine");
    return null;
  }

  /**
   * @param recorded a group that a process of this machine records; null if there is none
   */
  private void standby(@Nullable Group recorded) {
    StandbyExamination standby = new StandbyExamination(root, diagnoses);
    if (recorded != null) {
      standby.stamps(recorded, Instant.now(), settings.get(RecordSetting.STANDBY_KEEP));
    }
    String servers = settings.find(RecordSetting.ZOOKEEPER);
    if (servers != null) {
      standby.zooKeeper(servers);
    }
  }

  private void listen(boolean isRunning) {
    ListenAddress address = settings.find(RecordSetting.LISTEN);
    if (address == null || isRunning) {
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(address.socketAddress());
    } catch (IOException | IllegalArgumentException e) {
      problem(
          "cannot listen on " + address + ": " + e.getMessage(),
          "set another listen in [record], or end the program that has this port");
    }
  }

  private void memory(int groups, long channels) {
    long waiting = settings.get(RecordSetting.WAITING);
    long beside = waiting + settings.get(RecordSetting.RING);
    long needed = HEAP_BYTES + HEAP_BYTES_OF_GROUP * groups + HEAP_BYTES_OF_CHANNEL * channels;
    long heap = Runtime.getRuntime().maxMemory();
    String found =
        "kblake record needs up to %s of heap, and %s beside it for the ring and events that wait"
            .formatted(new ByteSize(needed), new ByteSize(beside));
    if (heap < needed) {
      problem(
          found + "; the limit of the heap is " + new ByteSize(heap),
          "set KBLAKE_JAVA_OPTS=-Xmx" + ((needed >> 20) + 1) + "m in /etc/kblake/environment");
    } else if (memoryBytes() < needed + beside) {
      problem(
          found + "; the machine has " + new ByteSize(memoryBytes()) + " of memory",
          "set waiting in [record] lower");
    } else {
      ok(found);
    }
  }

  /** Returns the memory of this machine, or of its container. */
  private static long memoryBytes() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : Long.MAX_VALUE;
  }

  private void ok(String found) {
    diagnoses.accept(Diagnosis.ok(SUBJECT, found));
  }

  private void warning(String found, String advice) {
    diagnoses.accept(Diagnosis.warning(SUBJECT, found, advice));
  }

  private void problem(String found, String advice) {
    diagnoses.accept(Diagnosis.problem(SUBJECT, found, advice));
  }
}
