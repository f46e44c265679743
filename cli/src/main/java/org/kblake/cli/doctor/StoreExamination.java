package org.kblake.cli.doctor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.Severity;
import org.kblake.cli.command.shared.ExpectedStore;
import org.kblake.cli.command.shared.StoreProfile;
import org.kblake.cli.error.ErrorLine;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.FileTree;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.file.StoreException;

/**
 * The state of a store's directory.
 *
 * @param diagnosis the result
 * @param disk the directory itself, or the nearest one that exists; its real path. Null if files
 *     must not be written there
 * @param writable whether this user may write there
 */
record StoreExamination(Diagnosis diagnosis, @Nullable Path disk, boolean writable) {

  private static final String STORE = "store";

  /** No store is named. */
  static StoreExamination notSet() {
    return new StoreExamination(
        Diagnosis.warning(
            STORE,
            "none is named: all answers are read from raw logs",
            "name a directory on a local disk for columns: kblake doctor --store DIR"),
        null,
        false);
  }

  /**
   * Examines a directory. Waits for its volume without a limit.
   *
   * @param archive null if none is named
   */
  static StoreExamination of(Path directory, @Nullable Path archive, ArchiveSettings settings)
      throws IOException {
    if (archive != null) {
      for (Path[] each : new Path[][] {{archive, directory}, {directory, archive}}) {
        if (new FileTree(each[0]).holds(each[1])) {
          return unusable(
              each[1] + " is inside of " + each[0] + ": archive and store must be apart",
              "name another directory: --store DIR");
        }
      }
    }
    Path existing = directory.toAbsolutePath().normalize();
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (!Files.isDirectory(existing)) {
      return unusable(existing + " is not a directory", "name another directory: --store DIR");
    }
    boolean writable = Files.isWritable(existing);
    Diagnosis diagnosis =
        Files.exists(directory)
            ? present(directory, archive, settings, writable)
            : missing(directory, existing, writable);
    return new StoreExamination(diagnosis, existing.toRealPath(), writable);
  }

  private static StoreExamination unusable(String found, String advice) {
    return new StoreExamination(Diagnosis.problem(STORE, found, advice), null, false);
  }

  private static Diagnosis missing(Path directory, Path existing, boolean writable) {
    String found = directory + " does not exist yet";
    return writable
        ? Diagnosis.ok(STORE, found + ": kblake backfill makes it")
        : Diagnosis.problem(
            STORE,
            found + ", and this user may not write to " + existing,
            "as root: install -d -o USER " + directory);
  }

  private static Diagnosis present(
      Path directory, @Nullable Path archive, ArchiveSettings settings, boolean writable)
      throws IOException {
    String found;
    try (Store store =
        Store.open(
            directory,
            archive == null ? null : ExpectedStore.of(archive, settings, StoreProfile.standard))) {
      int groups = store.groups().size();
      found = directory + ": columns of " + groups + (groups == 1 ? " group" : " groups");
    } catch (StoreException.Missing e) {
      if (!isEmpty(directory)) {
        return Diagnosis.problem(
            STORE,
            directory + " is not empty and not a store",
            "name an empty or new directory: --store DIR");
      }
      found = directory + " is empty: kblake backfill writes it";
    } catch (IOException e) {
      String line = ErrorLine.of(e);
      int advice = line.lastIndexOf("; ");
      return advice < 0
          ? new Diagnosis(STORE, Severity.CRITICAL, line, null)
          : Diagnosis.problem(STORE, line.substring(0, advice), line.substring(advice + 2));
    }
    return writable
        ? Diagnosis.ok(STORE, found)
        : Diagnosis.warning(
            STORE,
            found + "; this user may read it, not write",
            "run kblake backfill and kblake run as the owner of the directory");
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (!entry.endsWith("lost+found")) {
          return false;
        }
      }
      return true;
    }
  }
}
