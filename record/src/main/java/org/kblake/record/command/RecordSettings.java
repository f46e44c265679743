package org.kblake.record.command;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.doctor.ExtensionTable;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.Settings;
import org.kblake.cli.settings.ShownSetting;
import org.kblake.cli.settings.TableValues;
import org.kblake.cli.standby.Latch;
import org.kblake.cli.standby.LatchProvider;
import org.kblake.core.layout.ReferenceLayout;
import org.kblake.core.model.Group;
import org.kblake.record.channelaccess.settings.ChannelAccessSettings;
import org.kblake.record.group.ArchiveLists;
import org.kblake.record.group.ListFile;
import org.kblake.record.group.RecordList;
import org.kblake.record.group.RecorderSettings;
import org.kblake.record.group.StandbySettings;
import org.kblake.record.host.CpuGroup;
import org.kblake.record.host.HostGroup;
import org.kblake.record.host.HostSettings;
import org.kblake.record.ledger.LedgerSettings;
import org.kblake.record.log.LogFiles;
import org.kblake.record.log.LogSettings;
import org.kblake.record.log.LogTiming;
import org.kblake.record.log.RecordClock;
import org.kblake.record.perf.PerfSettings;
import org.kblake.record.standby.FileLatch;

/**
 * The settings of {@code kblake record}. Options precede the table {@code record} of the settings
 * file. The tables {@code record.lists} and {@code record.names} have the lists of groups that are
 * not those of the archive, {@code record.canaries} the canaries of circuits.
 */
final class RecordSettings extends TableValues {

  /** So far the times of reception of two recorders may differ, on one host and on two. */
  private static final Duration ONE_CLOCK = Duration.ofMillis(500);

  private static final Duration TWO_CLOCKS = Duration.ofSeconds(5);

  private static final String PERF = "perf";
  private static final String LISTS = "lists";
  private static final String NAMES = "names";
  private static final String CANARIES = "canaries";

  /** So long the settings are not read again after a problem, unless their file changes. */
  private static final long AGAIN_NANOS = 1_000_000_000;

  private final Settings settings;
  private final Map<Group, Path> files = new LinkedHashMap<>();
  private final Map<Group, List<String>> names = new LinkedHashMap<>();
  private final Map<String, String> canaries = new LinkedHashMap<>();
  private @Nullable TokenFile tokenFile;

  /** The state of the file, and what was read of it for the lists of groups. */
  private String stateRead = "";

  private String problemRead = "";
  private long readNanos;
  private RecordSettings lastRead = this;

  private RecordSettings(Settings settings, Consumer<String> problems) {
    super(RecordSetting.TABLE, settings, problems);
    this.settings = settings;
  }

  /**
   * Resolves the settings.
   *
   * @param settings the settings of all commands, whose file is read
   * @param options the texts of the given options
   * @param problems gets a line on each wrong value; the default then applies
   */
  static RecordSettings of(
      Settings settings, Map<SettingKey<?>, String> options, Consumer<String> problems) {
    RecordSettings record = new RecordSettings(settings, problems);
    record.read(options);
    record.checkNewPair();
    record.checkListen();
    return record;
  }

  @Override
  protected boolean putOther(String key, Object value) {
    if (!List.of(LISTS, NAMES, CANARIES).contains(key) || !(value instanceof Map<?, ?> texts)) {
      return false;
    }
    texts.forEach((name, text) -> putText(key, String.valueOf(name), text));
    return true;
  }

  private void putText(String key, String name, Object value) {
    String label = "." + key + ".\"" + name + "\"";
    if (!(value instanceof String text) || text.isBlank()) {
      report(label + " must be a text in quotes, found " + value);
      return;
    }
    try {
      Path settingsFile = file();
      switch (key) {
        case CANARIES -> canaries.put(name, text);
        case NAMES -> names.put(Group.parse(name), Arrays.asList(text.strip().split("[\\s,]+")));
        default ->
            files.put(
                Group.parse(name),
                settingsFile == null ? Path.of(text) : settingsFile.resolveSibling(text));
      }
    } catch (IllegalArgumentException e) {
      report(label + ": " + e.getMessage());
    }
  }

  private void checkNewPair() {
    long bound = settings.archiveSettings().disorderBoundNanos();
    if (nanos(RecordSetting.NEW_PAIR) > bound / 2) {
      report(RecordSetting.NEW_PAIR, "new-pair must be at most half of disorder-bound");
    }
  }

  /** Checks that other hosts need a token, and reads it. */
  private void checkListen() {
    Path file = path(RecordSetting.TOKEN_FILE);
    if (file != null) {
      try {
        tokenFile = TokenFile.of(file);
      } catch (UsageException e) {
        report(RecordSetting.TOKEN_FILE, String.valueOf(e.getMessage()));
      }
    }
    ListenAddress listen = find(RecordSetting.LISTEN);
    if (listen != null && file == null && !get(RecordSetting.INSECURE) && !listen.isLoopback()) {
      report(
          RecordSetting.LISTEN,
          "other hosts can reach "
              + listen
              + ", and there is no token; set token-file, or insecure = \"yes\"");
    }
  }

  /** Returns the tokens that clients of the metrics send; null if they need none. */
  @Nullable TokenFile tokenFile() {
    return tokenFile;
  }

  /** Returns the groups that the settings name. */
  List<Group> groups() {
    List<Group> listed = find(RecordSetting.GROUPS);
    Set<Group> groups = new LinkedHashSet<>();
    if (listed == null && isOfThisMachine()) {
      groups.addAll(isOfCores() ? CpuGroup.present(host()) : HostGroup.present(host()));
    } else if (listed == null) {
      groups.addAll(files.keySet());
      groups.addAll(names.keySet());
    } else {
      groups.addAll(listed);
    }
    return List.copyOf(groups);
  }

  /**
   * Returns the groups that the settings name, or else those of the archive's lists.
   *
   * @throws IOException if a list of the archive cannot be read
   */
  List<Group> groupsToRecord() throws IOException {
    List<Group> named = groups();
    return named.isEmpty() ? new ArchiveLists(settings.archive()).groups() : named;
  }

  /**
   * Returns the list of a group.
   *
   * @param again reads the settings again, for names in them
   */
  ListFile list(Group group, RecordPlan.Loader again) {
    ListFile ofThisMachine = ofThisMachine(group);
    if (ofThisMachine != null) {
      return ofThisMachine;
    }
    Path file = files.get(group);
    Path settingsFile = file();
    if (names.containsKey(group) && settingsFile != null) {
      return new ListFile(settingsFile, path -> named(path, group, again));
    }
    return new ListFile(file == null ? new ArchiveLists(settings.archive()).lcf(group) : file);
  }

  private @Nullable ListFile ofThisMachine(Group group) {
    HostGroup ofHost = isOfThisMachine() ? HostGroup.of(group) : null;
    CpuGroup ofCore = isOfCores() ? CpuGroup.of(group) : null;
    if (ofCore != null) {
      return ofCore.list(host(), perf());
    }
    return ofHost == null ? null : ofHost.list(host());
  }

  private RecordList named(Path file, Group group, RecordPlan.Loader again) throws IOException {
    return RecordList.of(
        now(file, again).names.getOrDefault(group, List.of()),
        file + ": record." + NAMES + ".\"" + group + "\"");
  }

  /** Returns the settings, which are read once for all groups when their file has changed. */
  private synchronized RecordSettings now(Path file, RecordPlan.Loader again) throws IOException {
    String state = ListFile.state(file);
    boolean isTriedAgain = !problemRead.isEmpty() && System.nanoTime() - readNanos > AGAIN_NANOS;
    if (isTriedAgain || !state.equals(stateRead)) {
      stateRead = state;
      problemRead = "";
      try {
        lastRead = again.load().settings();
      } catch (UsageException | RequestException | IOException e) {
        problemRead = String.valueOf(e.getMessage());
      }
      readNanos = System.nanoTime();
    }
    if (!problemRead.isEmpty()) {
      throw new IOException(problemRead);
    }
    return lastRead;
  }

  /** Returns all settings in the order of the table, then lists and canaries. */
  @Override
  public List<ShownSetting> lines() {
    List<ShownSetting> lines = new ArrayList<>(super.lines());
    files.forEach((group, path) -> lines.add(line(LISTS, group, path)));
    names.forEach((group, list) -> lines.add(line(NAMES, group, String.join(" ", list))));
    canaries.forEach((circuit, record) -> lines.add(line(CANARIES, circuit, record)));
    return lines;
  }

  private ShownSetting line(String table, Object name, Object value) {
    return new ShownSetting(
        ExtensionTable.RECORD + "." + table + ".\"" + name + "\"",
        value.toString(),
        String.valueOf(file()));
  }

  /** Returns what a recorder is told. */
  RecorderSettings recorder() {
    LogTiming timing =
        new LogTiming(
            nanos(RecordSetting.MILESTONE),
            nanos(RecordSetting.FLUSH),
            nanos(RecordSetting.SYNC_INTERVAL),
            nanos(RecordSetting.ROTATE),
            nanos(RecordSetting.NEW_PAIR),
            nanos(RecordSetting.LEARN));
    LogSettings log =
        new LogSettings(
            settings.archive(),
            settings.archiveSettings(),
            timing,
            get(RecordSetting.SYNC),
            Objects.requireNonNullElse(
                find(RecordSetting.LARGEST_LOG), ReferenceLayout.INSTANCE.maxLogBytes()));
    return new RecorderSettings(
        log,
        get(RecordSetting.TIME),
        get(RecordSetting.WAITING),
        LogFiles.DISK,
        RecordClock.SYSTEM);
  }

  /** Returns the times of day at which new pairs begin, in the zone of the names of logs. */
  DailyTimes rotations() {
    return new DailyTimes(
        Objects.requireNonNullElse(find(RecordSetting.ROTATE_AT), List.of()), settings.zone());
  }

  /**
   * Begins to stand by.
   *
   * @param notices takes a line when something changed
   */
  StandbySettings standBy(Consumer<String> notices) {
    String name = find(RecordSetting.NAME);
    String shared = name == null ? "record" : "record-" + name;
    String servers = find(RecordSetting.ZOOKEEPER);
    Latch latch =
        servers == null
            ? new FileLatch(settings.archive().resolve("SYS/." + shared + ".lock"), notices)
            : LatchProvider.acrossHosts(servers, shared, notices);
    Duration clocks = servers == null ? ONE_CLOCK : TWO_CLOCKS;
    return new StandbySettings(latch, nanos(RecordSetting.STANDBY_KEEP), clocks.toNanos());
  }

  /** Returns what the ledger is told. */
  LedgerSettings ledger() {
    String name = find(RecordSetting.NAME);
    return LedgerSettings.of(name == null ? "" : name, canaries);
  }

  /** Returns whether the source is this machine, and not EPICS. */
  boolean isOfThisMachine() {
    return get(RecordSetting.SOURCE) != SourceKind.EPICS;
  }

  /** Returns whether the cores of this machine are sampled. */
  boolean isOfCores() {
    return get(RecordSetting.SOURCE) == SourceKind.CPU;
  }

  /** Returns how the cores of this machine are sampled. */
  PerfSettings perf() {
    return new PerfSettings(
        PERF,
        host().prefix(),
        get(RecordSetting.CPU_RATE),
        Objects.requireNonNullElse(find(RecordSetting.CPU_COUNTERS), List.of()),
        Objects.requireNonNullElse(find(RecordSetting.CPU_CORE), PerfSettings.ANY_CORE));
  }

  /** Returns how the counters of this machine are sampled. */
  HostSettings host() {
    HostSettings host = HostSettings.ofThisMachine(get(RecordSetting.HOST_RATE));
    String prefix = find(RecordSetting.HOST_NAME);
    return prefix == null ? host : host.withPrefix(prefix);
  }

  /** Returns the settings of a client, some of which the environment of EPICS has. */
  ChannelAccessSettings channelAccess(ChannelAccessSettings ofEnvironment) {
    return new ChannelAccessSettings(
        ofEnvironment.search().withPacketsPerSecond(get(RecordSetting.SEARCH_BUDGET)),
        ofEnvironment.connectionTimeout(),
        ofEnvironment.largestArrayBytes(),
        Math.toIntExact(get(RecordSetting.RING)),
        get(RecordSetting.MASK).bits());
  }

  private long nanos(SettingKey<Duration> key) {
    return get(key).toNanos();
  }
}
