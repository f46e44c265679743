package org.kblake.record.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;

/**
 * The claim that no other program records a group: its lock, a watch for pairs of others, and the
 * names of own pairs. For one thread.
 */
final class GroupClaim {

  /** What Linux says if a file system has no locks. */
  private static final List<String> WITHOUT_LOCKS =
      List.of("No locks available", "not supported", "not implemented");

  private final Group group;
  private final Path root;
  private final LogFiles files;
  private final Consumer<String> notices;
  private final PairNames names;
  private final OtherWriters others;
  private @Nullable Closeable lock;

  /**
   * @param notices takes lines for the operator
   */
  GroupClaim(
      Group group, LogSettings settings, PairDirectories directories, Consumer<String> notices) {
    this.group = group;
    this.notices = notices;
    root = settings.root();
    files = directories.files();
    names = new PairNames(directories, directory(), group.name(), settings.archive().zone());
    others = new OtherWriters(names, group.toString());
  }

  private Path directory() {
    return root.resolve(group.system());
  }

  /** Expects that the other program is a recorder which this one replaces. */
  void replace() {
    others.replace();
  }

  /**
   * Locks the group, and checks that no other program writes its pairs.
   *
   * @param isFirst whether there was no own pair yet
   * @throws OtherWriterException if one does
   */
  void claim(boolean isFirst) throws IOException {
    requireMounted(isFirst);
    if (isFirst) {
      files.createDirectory(directory());
    }
    if (lock == null) {
      lock = lock();
      others.list();
      if (lock == null) {
        others.requireReplaced();
      }
    }
    others.check();
  }

  private @Nullable Closeable lock() throws IOException {
    try {
      return files.lock(directory().resolve("." + group.name() + ".lock"));
    } catch (IOException e) {
      if (WITHOUT_LOCKS.stream().noneMatch(String.valueOf(e.getMessage())::contains)) {
        throw e;
      }
      notices.accept("other recorders are only noticed when their pairs grow: " + e);
      return () -> {};
    }
  }

  /** Checks that the root is no mount point whose volume is away. Such a directory is empty. */
  private void requireMounted(boolean isFirst) throws IOException {
    String known = isFirst ? "SYS" : group.system();
    if (files.bytes(root.resolve(known)) < 0) {
      throw new IOException(
          "archive has no directory "
              + known
              + ", is its volume mounted?: root="
              + root
              + (isFirst ? "; in a new archive: mkdir " + root.resolve(known) : ""));
    }
  }

  /** Checks that no other program lets its newest pair grow. */
  void check() throws OtherWriterException {
    others.check();
  }

  /** Checks that no other program has begun a pair. */
  void list() throws IOException {
    others.list();
  }

  /**
   * Creates the next own pair, without bytes.
   *
   * @param nanos the time of its first event, nanoseconds since 1970 UTC
   */
  PairOutput create(RecordTable records, long nanos) throws IOException {
    PairName name = names.next(nanos, others.list());
    others.addOwn(name);
    try {
      return PairOutput.create(files, directory(), name, LogSettings.ORDER, records);
    } catch (FileAlreadyExistsException e) {
      others.removeOwn(name);
      throw e;
    }
  }

  /** Takes the lock from the claim; whoever closes it unlocks the group. */
  @Nullable Closeable takeLock() {
    Closeable taken = lock;
    lock = null;
    return taken;
  }
}
