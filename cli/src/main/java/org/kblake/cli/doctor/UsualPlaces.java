package org.kblake.cli.doctor;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kblake.core.internal.log.file.FileAccess;

/** Finds archives and stores in usual directories and near a directory. */
public final class UsualPlaces {

  private static final Path LIST = Path.of("SYS", "KEKBLog.list");
  private static final Path IDENTITY = Path.of("kblake-store.properties");
  private static final List<String> ROOTS = List.of("/", "/data", "/mnt", "/srv");

  private static final List<String> STORES =
      List.of("/ssd/kblake", "/var/lib/kblake", "/data/kblake", "/srv/kblake");

  private final FileAccess access;

  /**
   * @param access the access with a time limit
   */
  public UsualPlaces(FileAccess access) {
    this.access = access;
  }

  /** Returns the archives in and above a directory, in its directories, and in usual places. */
  public List<Path> archives(Path workingDirectory) throws IOException {
    List<Path> found = near(workingDirectory);
    for (String root : ROOTS) {
      for (Path directory : directories(Path.of(root))) {
        addIfArchive(found, directory);
      }
    }
    return found.stream().distinct().toList();
  }

  /** Returns the archives in and above a directory and in its directories. */
  List<Path> near(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    Path start = directory.toAbsolutePath().normalize();
    for (Path each = start; each != null; each = each.getParent()) {
      addIfArchive(found, each);
    }
    for (Path each : directories(start)) {
      addIfArchive(found, each);
    }
    return found;
  }

  /** Returns the stores in the directories of a directory, and in usual places. */
  public List<Path> stores(Path workingDirectory) throws IOException {
    Set<Path> found = new LinkedHashSet<>();
    List<Path> candidates = directories(workingDirectory.toAbsolutePath().normalize());
    STORES.forEach(store -> candidates.add(Path.of(store)));
    for (Path candidate : candidates) {
      if (exists(candidate.resolve(IDENTITY))) {
        found.add(candidate);
      }
    }
    return List.copyOf(found);
  }

  private void addIfArchive(List<Path> found, Path directory) throws IOException {
    if (exists(directory.resolve(LIST))) {
      found.add(directory);
    }
  }

  private boolean exists(Path file) throws IOException {
    try {
      return access.call(file, () -> Files.isRegularFile(file));
    } catch (FileAccess.AccessTimeoutException e) {
      return false;
    }
  }

  private List<Path> directories(Path parent) throws IOException {
    try {
      return access.call(parent, () -> list(parent));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      return new ArrayList<>();
    }
  }

  private static List<Path> list(Path parent) throws IOException {
    List<Path> directories = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
      entries.forEach(directories::add);
    } catch (DirectoryIteratorException e) {
      throw new IOException(e.getCause());
    }
    directories.sort(null);
    return directories;
  }
}
