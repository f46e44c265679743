package org.kblake.cli.run.settings;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.access.TokenFile;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.SettingType;
import org.kblake.cli.settings.Settings;
import org.kblake.cli.settings.ShownSetting;
import org.kblake.cli.settings.TableValues;
import org.kblake.cli.settings.TrustedFile;
import org.kblake.core.archive.FileTree;
import org.kblake.core.internal.log.file.LocalDisks;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.transfer.collect.BuilderMap;

/**
 * The settings of {@code kblake run}. Options precede the table {@code run} of the settings file.
 */
public final class RunSettings extends TableValues {

  private static final String GROUP = "group";

  /** The keys that groups may have, too. */
  private static final List<SettingKey<?>> OF_GROUP =
      List.of(RunSetting.MODE, RunSetting.STALE_WARNING, RunSetting.STALE_CRITICAL);

  private final Map<Group, TableValues> groups = new TreeMap<>();
  private @Nullable TokenFile tokenFile;
  private @Nullable BuilderToken builderToken;

  private RunSettings(Settings settings, Consumer<String> problems) {
    super(RunSetting.TABLE, settings, problems);
  }

  /**
   * Resolves the settings.
   *
   * @param settings the settings of all commands, whose file is read
   * @param options the texts of the given options
   * @param problems gets a line on each wrong value; the default then applies
   */
  public static RunSettings of(
      Settings settings, Map<SettingKey<?>, String> options, Consumer<String> problems) {
    RunSettings run = resolve(settings, options, problems);
    run.checkGather();
    return run;
  }

  private static RunSettings resolve(
      Settings settings, Map<SettingKey<?>, String> options, Consumer<String> problems) {
    RunSettings run = new RunSettings(settings, problems);
    run.read(options);
    run.checkMirror(settings);
    run.checkListen();
    return run;
  }

  /** Resolves the settings of the file. Wrong values are ignored: the defaults apply. */
  public static RunSettings of(Settings settings) {
    return resolve(settings, Map.of(), problem -> {});
  }

  /** Takes the tables of groups. */
  @Override
  protected boolean putOther(String key, Object value) {
    if (key.equals(GROUP) && value instanceof Map<?, ?> tables) {
      tables.forEach((group, table) -> putGroup(String.valueOf(group), table));
      return true;
    }
    return false;
  }

  private void putGroup(String name, Object table) {
    TableValues own = below(GROUP, name, OF_GROUP);
    try {
      Group group = Group.parse(name);
      if (table instanceof Map<?, ?> entries) {
        entries.forEach((key, value) -> own.put(String.valueOf(key), value));
        if (!own.lines().isEmpty()) {
          groups.put(group, own);
        }
      } else {
        own.report(" must be a table, found " + table);
      }
    } catch (IllegalArgumentException e) {
      own.report(": " + e.getMessage());
    }
  }

  /** Returns a line if every user of this host can read the token. */
  public List<String> readableSecrets() {
    Path file = directory(RunSetting.TOKEN_FILE);
    return file == null ? List.of() : TrustedFile.readableByAll(List.of(file));
  }

  /** Checks that other hosts need a token, and reads it. */
  private void checkListen() {
    Path file = directory(RunSetting.TOKEN_FILE);
    if (file != null) {
      try {
        tokenFile = TokenFile.of(file);
      } catch (UsageException e) {
        report(RunSetting.TOKEN_FILE, String.valueOf(e.getMessage()));
      }
    }
    ListenAddress listen = listen();
    if (listen != null && file == null && !get(RunSetting.INSECURE) && !listen.isLoopback()) {
      report(
          RunSetting.LISTEN,
          "other hosts can reach "
              + listen
              + ", and there is no token; set token-file, or insecure = \"yes\"");
    }
  }

  /** Checks that collectors can be asked, and reads the token for them. */
  private void checkGather() {
    List<ListenAddress> collectors = find(RunSetting.GATHER);
    if (collectors == null) {
      return;
    }
    Path file = path(RunSetting.GATHER_TOKEN_FILE);
    try {
      builderToken = file == null ? null : new BuilderToken(file);
    } catch (UsageException e) {
      report(RunSetting.GATHER_TOKEN_FILE, String.valueOf(e.getMessage()));
    }
    collectors.stream()
        .filter(each -> file == null && !get(RunSetting.GATHER_INSECURE) && !each.isLoopback())
        .forEach(
            each ->
                report(
                    RunSetting.GATHER,
                    "collector "
                        + each
                        + " is on another host: set gather-token-file, or gather-insecure"));
    if (!BuilderMap.isName(builderName())) {
      report(
          RunSetting.GATHER_NAME,
          "the name of this host cannot be that of a builder: '"
              + builderName()
              + "'; set gather-name");
    }
  }

  /** Returns the name of this builder; empty if the host has none. */
  public String builderName() {
    String given = find(RunSetting.GATHER_NAME);
    try {
      return given == null ? InetAddress.getLocalHost().getHostName() : given;
    } catch (UnknownHostException e) {
      return "";
    }
  }

  /** Returns the token for collectors; null if none is set. */
  public @Nullable BuilderToken builderToken() {
    return builderToken;
  }

  /** Checks that the mirror is on a local disk, and outside of archive and store. */
  private void checkMirror(Settings settings) {
    Path mirror = directory(RunSetting.MIRROR);
    if (mirror == null) {
      return;
    }
    for (SettingKey<Path> other : List.of(CommonSetting.ARCHIVE, CommonSetting.STORE)) {
      Path directory = settings.path(other);
      if (directory != null) {
        checkApart(mirror, other, directory);
      }
    }
    try {
      if (!new LocalDisks().isLocal(new FileTree(mirror).existing())) {
        reportMirror("must be on a local disk, found " + mirror);
      }
    } catch (IOException e) {
      reportMirror("cannot be read: " + e);
    }
  }

  private void checkApart(Path mirror, SettingKey<Path> other, Path directory) {
    try {
      if (new FileTree(directory).meets(mirror)) {
        reportMirror("must be outside of the " + other.name() + ", found " + mirror);
      }
    } catch (IOException e) {
      // Another check reports that the other directory cannot be read
    }
  }

  private void reportMirror(String problem) {
    report(RunSetting.MIRROR, "mirror " + problem);
  }

  /** Returns a setting that is a size in bytes; 0 if it is not set. */
  public long bytes(SettingKey<Long> key) {
    Long bytes = find(key);
    return bytes == null ? 0 : bytes;
  }

  /** Returns a setting that is a path, in the working directory; null if it is not set. */
  public @Nullable Path directory(SettingKey<Path> key) {
    Path written = find(key);
    return written == null ? null : resolve(written);
  }

  /** Returns whether the store has a limit, so that it does not fill its disk. */
  public boolean isBounded() {
    return bytes(RunSetting.BUDGET) > 0 || bytes(RunSetting.FREE) > 0;
  }

  /** Returns the tokens that clients of the metrics send; null if they need none. */
  public @Nullable TokenFile tokenFile() {
    return tokenFile;
  }

  public @Nullable ListenAddress listen() {
    return find(RunSetting.LISTEN);
  }

  /** Returns the mode of a group. */
  public Mode modeOf(Group group) {
    return modes().getOrDefault(group, get(RunSetting.MODE));
  }

  /** Returns the modes that are set for single groups. */
  public Map<Group, Mode> modes() {
    Map<Group, Mode> modes = new TreeMap<>();
    groups.forEach(
        (group, own) -> {
          if (own.isSet(RunSetting.MODE)) {
            modes.put(group, own.get(RunSetting.MODE));
          }
        });
    return modes;
  }

  /** Returns the groups that have settings of their own, and these. */
  public Map<Group, TableValues> groups() {
    return Collections.unmodifiableMap(groups);
  }

  /** Returns all settings in the order of the table, then modes and limits of single groups. */
  @Override
  public List<ShownSetting> lines() {
    List<ShownSetting> lines = new ArrayList<>(super.lines());
    modes()
        .forEach(
            (group, mode) ->
                lines.add(
                    new ShownSetting(
                        "run.group.\"" + group + "\".mode",
                        SettingType.name(mode),
                        String.valueOf(file()))));
    for (TableValues own : groups.values()) {
      own.lines().stream().filter(line -> !line.key().endsWith(".mode")).forEach(lines::add);
    }
    return lines;
  }
}
