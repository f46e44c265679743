package org.kblake.cli.doctor;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.cli.settings.SettingKey;
import org.kblake.cli.settings.Settings;
import org.kblake.cli.settings.TableValues;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.archive.ArchiveGroups;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.model.Group;
import org.kblake.core.model.NearestNames;
import org.kblake.core.model.StoreGroups;

/**
 * Finds mistakes in settings that only the file system shows: directories and groups that do not
 * exist, and paths that a shell would replace.
 */
public final class DirectorySettings {

  private static final Pattern HOME = Pattern.compile("~(?=/|$)");
  private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{(\\w+)}|(\\w+))");

  private final Settings settings;
  private final RunSettings run;
  private final Map<String, String> variables;
  private final FileAccess access;

  /**
   * @param variables the environment variables
   * @param access the access to archive and store, with a time limit
   */
  public DirectorySettings(
      Settings settings, RunSettings run, Map<String, String> variables, FileAccess access) {
    this.settings = settings;
    this.run = run;
    this.variables = variables;
    this.access = access;
  }

  /** Returns a line on each mistake. */
  public List<String> problems() throws IOException {
    List<String> problems = new ArrayList<>(literalPaths());
    if (problems.stream().noneMatch(problem -> problem.startsWith(place(CommonSetting.ARCHIVE)))) {
      addMissing(problems);
    }
    problems.addAll(unknownGroups());
    return problems;
  }

  /** Returns a line on each path that a shell would replace. */
  List<String> literalPaths() throws IOException {
    List<String> problems = new ArrayList<>();
    for (SettingKey<Path> name : List.of(CommonSetting.ARCHIVE, CommonSetting.STORE)) {
      Path directory = settings.path(name);
      String written = settings.written(name);
      if (directory != null && written != null) {
        add(problems, place(name), literal(written, directory));
      }
    }
    String mirror = run.written(RunSetting.MIRROR);
    if (mirror != null) {
      String place = run.place(RunSetting.MIRROR) + ": run.mirror: ";
      add(problems, place, literal(mirror, settings.resolve(Path.of(mirror))));
    }
    return problems;
  }

  private static void add(List<String> problems, String place, @Nullable String problem) {
    if (problem != null) {
      problems.add(place + problem);
    }
  }

  private String place(SettingKey<?> key) {
    return settings.place(key) + ": " + key.name() + ": ";
  }

  /** Explains a path that a shell would replace; null if it is none. */
  private @Nullable String literal(String written, Path directory) throws IOException {
    Matcher home = HOME.matcher(written);
    if (home.lookingAt()) {
      return exists(directory)
          ? null
          : "~ is not replaced in settings; write "
              + replacement("HOME", home.replaceFirst("\\${HOME}"));
    }
    Matcher variable = VARIABLE.matcher(written);
    return !variable.find() || exists(directory)
        ? null
        : variable.group()
            + " is not replaced in settings; write "
            + replacement(
                variable.group(1) == null ? variable.group(2) : variable.group(1), written);
  }

  private String replacement(String name, String written) {
    String value = variables.get(name);
    return value == null
        ? "the whole path"
        : '"' + written.replace("${" + name + "}", value).replace("$" + name, value) + '"';
  }

  private boolean exists(Path directory) throws IOException {
    try {
      return access.call(directory, () -> Files.exists(directory));
    } catch (FileAccess.AccessTimeoutException e) {
      return true;
    }
  }

  private void addMissing(List<String> problems) throws IOException {
    Path directory = settings.archiveIfSet();
    if (directory == null) {
      return;
    }
    String place = place(CommonSetting.ARCHIVE);
    try {
      if (!access.call(directory, () -> Files.isDirectory(directory.toRealPath()))) {
        problems.add(place + "not a directory: " + directory);
      }
    } catch (NoSuchFileException e) {
      problems.add(place + "no such directory: " + directory);
    } catch (FileAccess.AccessTimeoutException e) {
      problems.add(place + e.getMessage() + ": " + directory);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      problems.add(place + ErrorLine.of(e));
    }
  }

  /** Returns a line on each group of the table {@code run} that neither archive nor store has. */
  List<String> unknownGroups() {
    List<String> problems = new ArrayList<>();
    Map<Group, TableValues> named = run.groups();
    if (named.isEmpty()
        || !settings.isSet(CommonSetting.ARCHIVE)
        || !settings.problems().isEmpty()) {
      return problems;
    }
    ArchiveGroups shown;
    StoreGroups stored;
    try {
      shown = Archive.open(settings.archive(), settings.archiveSettings(), access).shownGroups();
      stored = storedGroups();
    } catch (IOException e) {
      // Another line reports the directory
      return problems;
    }
    Set<Group> known = new LinkedHashSet<>(shown.groups());
    known.addAll(stored.groups());
    List<String> names = known.stream().map(Group::toString).toList();
    named.forEach(
        (group, own) -> {
          if (!known.contains(group) && !shown.mayHave(group) && !stored.mayHave(group)) {
            String name = group.toString();
            problems.add(
                "%s: run.group.\"%s\": no such group%s"
                    .formatted(own.place(), name, NearestNames.hint(name, names)));
          }
        });
    return problems;
  }

  private StoreGroups storedGroups() throws IOException {
    if (!settings.hasStore()) {
      return StoreGroups.NONE;
    }
    Path directory = settings.store();
    return access.call(
        directory,
        () -> {
          try (Store store = Store.open(directory, null)) {
            return store.listedGroups();
          } catch (StoreException.Missing e) {
            return StoreGroups.NONE;
          }
        });
  }
}
