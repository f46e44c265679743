package org.kblake.lake;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.settings.Settings;
import org.kblake.core.archive.FileTree;
import org.kblake.core.store.StoreReader;
import org.kblake.lake.table.LocalFiles;

/**
 * The directories of logs, columns, copies and metadata. No table and no catalog may be inside of
 * one, by whatever path or link. Tables may not be above one, either: their namespaces would stand
 * beside its systems. Directories that no setting names are known by their files.
 */
final class DataDirectories {

  private static final String ADVICE = "; name another directory";

  /** Files that tell what their directory is. */
  private static final Map<String, String> MARKS =
      Map.of(
          "kblake-store.properties", "a store",
          "kblake-mirror", "a mirror",
          "KEKBLog.list", "an archive");

  private static final Pattern DATABASE = Pattern.compile("jdbc:\\w+:(?!//)([^?;]+).*");

  private record Named(String what, Path directory) {}

  private final List<Named> all = new ArrayList<>();

  private DataDirectories() {}

  /** Returns the directories that the settings, and the store itself, name. */
  static DataDirectories of(Session session) {
    Settings settings = session.settings();
    DataDirectories data = new DataDirectories();
    data.addWithLinks("the archive", settings.archiveIfSet());
    if (settings.hasStore()) {
      data.addWithLinks("the store", settings.store());
      try {
        String archive = StoreReader.open(settings.store()).archive();
        data.addWithLinks("the archive of the store", Path.of(archive));
      } catch (IOException e) {
        // Whoever reads the store reports it.
      }
    }
    RunSettings run = RunSettings.of(settings);
    data.add("the mirror", run.directory(RunSetting.MIRROR));
    data.add("the folder with metadata", settings.metadata());
    return data;
  }

  private void add(String what, @Nullable Path directory) {
    if (directory != null) {
      all.add(new Named(what, directory));
    }
  }

  /** Adds a directory. The directories of its systems may be links to other volumes. */
  private void addWithLinks(String what, @Nullable Path directory) {
    add(what, directory);
    if (directory != null && Files.isDirectory(directory)) {
      try (DirectoryStream<Path> systems =
          Files.newDirectoryStream(directory, Files::isSymbolicLink)) {
        systems.forEach(system -> add(what, system));
      } catch (IOException e) {
        // Whoever reads it reports it.
      }
    }
  }

  /**
   * Requires that the location of tables is apart from all data.
   *
   * @param location a path or a URI; a place that is not on this host is apart
   * @throws RequestException if it is not, or if this cannot be found out
   */
  void requireApart(String location) {
    requireOutside(location);
    Path path = LocalFiles.path(location);
    if (path == null) {
      return;
    }
    try {
      for (Named each : all) {
        if (new FileTree(path).holdsThroughMounts(each.directory())) {
          throw refused("location", location, "above " + each.what() + ": " + each.directory());
        }
      }
      if (Files.isDirectory(path)) {
        try (DirectoryStream<Path> below = Files.newDirectoryStream(path, Files::isDirectory)) {
          for (Path each : below) {
            requireWithoutMark(location, "above ", each);
          }
        }
      }
    } catch (IOException e) {
      throw unknown(location, e);
    }
  }

  /** Requires that a directory of tables is not inside of data. */
  void requireOutside(String location) {
    Path path = LocalFiles.path(location);
    if (path == null) {
      return;
    }
    requireOutside("location", location);
    try {
      Path real = Files.exists(path) ? path.toRealPath() : path;
      for (Path each = real; each != null; each = each.getParent()) {
        requireWithoutMark(location, "inside ", each);
      }
    } catch (IOException e) {
      throw unknown(location, e);
    }
  }

  private static void requireWithoutMark(String location, String where, Path directory) {
    MARKS.forEach(
        (file, what) -> {
          Path mark = directory.resolve(file);
          if (Files.exists(mark)) {
            throw refused("location", location, where + what + ": " + mark);
          }
        });
  }

  /**
   * Requires that a value of an option is no path inside of data.
   *
   * @param option the option and its key, for messages
   * @param value any text; a path, a URI of a local file, or a database in a file is examined
   */
  void requireOutside(String option, String value) {
    Matcher database = DATABASE.matcher(value);
    String text = database.matches() ? database.group(1) : value;
    Path path =
        database.matches() && !text.startsWith("file:") ? Path.of(text) : LocalFiles.path(text);
    try {
      for (Named each : all) {
        if (path != null && new FileTree(each.directory()).holdsThroughMounts(path)) {
          throw refused(option, value, "inside " + each.what() + ": " + each.directory());
        }
      }
    } catch (IOException e) {
      throw unknown(value, e);
    }
  }

  private static RequestException refused(String what, String found, String place) {
    return new RequestException(
        what + " is no place for tables: found " + found + ", it is " + place + ADVICE);
  }

  private static RequestException unknown(String location, IOException e) {
    return new RequestException(
        "location cannot be compared with the directories of data: location="
            + location
            + ", found "
            + e);
  }
}
