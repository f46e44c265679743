package org.kblake.core.internal.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.FileTree;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.access.AccessDirectory;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.BlockName;
import org.kblake.core.internal.store.block.BlockWriter;
import org.kblake.core.internal.store.block.RollupAddition;
import org.kblake.core.internal.store.block.Trash;
import org.kblake.core.internal.store.chunk.ChunkLookupCache;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.core.internal.store.file.PacedFiles;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.internal.store.file.StoreWriteException;
import org.kblake.core.internal.store.file.WriteErrorFiles;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.core.model.StoreGroups;

/**
 * The directory of columns: {@code SYSTEM/GROUP/BLOCK/}. The files are the catalog. There is no
 * other catalog. Safe for many threads. A store has any number of readers and at most one writer.
 */
public final class Store implements AutoCloseable {

  /** The directory in the root for the socket of the writer. */
  public static final String RUN = "kblake-run";

  /** The directory in the root for requests to writers of earlier versions. */
  private static final String EARLIER_REQUESTS = "requests";

  /** The directories in the root that do not belong to a system. */
  private static final List<String> OURS =
      List.of(
          Trash.DIRECTORY,
          AccessDirectory.NAME,
          Pins.DIRECTORY,
          RUN,
          EARLIER_REQUESTS,
          "lost+found");

  private final Path directory;
  private final StoreIdentity identity;

  /** The lock for unlinking blocks that are out of use. */
  private final Object emptying = new Object();

  private final Lock removals = new ReentrantLock();
  private final StoreFiles files;
  private final @Nullable WriterLock lock;

  /** The cache of channel lookups. Null for a writer, which reads the disk each time. */
  private final @Nullable ChunkLookupCache memory;

  private Store(
      Path directory, StoreIdentity identity, StoreFiles files, @Nullable WriterLock lock) {
    this.directory = directory;
    this.identity = identity;
    this.files = files;
    this.lock = lock;
    memory = lock == null ? new ChunkLookupCache() : null;
  }

  /**
   * Opens a store for reading.
   *
   * @param expected the required identity; null to accept any
   * @throws StoreException if the store cannot be used, with the reason
   */
  public static Store open(Path directory, @Nullable StoreIdentity expected) throws IOException {
    StoreIdentity identity = StoreIdentity.read(directory);
    Store store = new Store(directory, identity, StoreFiles.LOCAL, null);
    if (expected != null) {
      identity.check(expected, store, false);
    }
    return store;
  }

  /** Opens a store for writing on the local file system. */
  public static Store openForWriting(Path directory, StoreIdentity identity) throws IOException {
    return openForWriting(directory, identity, StoreFiles.LOCAL, false);
  }

  /**
   * Opens a store on the local file system for a writer that carries out requests of other
   * processes. They wait for its start.
   */
  public static Store openForRequests(Path directory, StoreIdentity identity) throws IOException {
    return openForWriting(directory, identity, StoreFiles.LOCAL, true);
  }

  /**
   * Opens a store for writing, and creates it if there is none. Unfinished blocks of an earlier
   * writer are removed.
   *
   * @throws StoreException.Locked naming the holder, if the store has a writer
   * @throws StoreException if the directory is inside the archive
   * @throws StoreWriteException if writing to the disk fails
   */
  public static Store openForWriting(Path directory, StoreIdentity identity, StoreFiles disk)
      throws IOException {
    return openForWriting(directory, identity, disk, false);
  }

  private static Store openForWriting(
      Path directory, StoreIdentity identity, StoreFiles disk, boolean takesRequests)
      throws IOException {
    StoreFiles files = new WriteErrorFiles(disk);
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new NotDirectoryException(directory.toString());
    }
    if (new FileTree(Path.of(identity.archive())).holds(directory)) {
      throw new StoreException(
          "store is inside the archive, where kblake never writes: directory="
              + directory
              + ", archive="
              + identity.archive()
              + "; name another directory");
    }
    if (Files.notExists(directory.resolve(StoreIdentity.FILE_NAME)) && !isNewOrEmpty(directory)) {
      throw new StoreException.Missing(
          "directory is not empty and not a store: directory="
              + directory
              + "; name an empty or new directory");
    }
    files.createDirectories(directory);
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      files.forceDirectory(parent);
    }
    WriterLock lock = WriterLock.take(directory, takesRequests);
    try {
      StoreIdentity present = identity;
      if (Files.notExists(directory.resolve(StoreIdentity.FILE_NAME))) {
        identity.write(files, directory);
      } else {
        present = StoreIdentity.read(directory);
      }
      Store store = new Store(directory, present, files, lock);
      present.check(identity, store, true);
      store.clean();
      removeEarlierRequests(directory);
      prepareAccessRecords(directory);
      return store;
    } catch (Throwable e) {
      FirstFailure.close(e, lock::close);
      throw e;
    }
  }

  /** Commands of earlier versions end with an error at once if this directory is missing. */
  private static void removeEarlierRequests(Path directory) {
    try {
      Trash.deleteTree(StoreFiles.LOCAL, directory.resolve(EARLIER_REQUESTS));
    } catch (IOException e) {
      // It is missing, or these commands wait for a minute
    }
  }

  private static void prepareAccessRecords(Path directory) {
    try {
      new AccessDirectory(directory).prepare();
    } catch (IOException e) {
      // Readers then write no records. The collector of records reports the error, and no block
      // depends on records.
    }
  }

  /** A process that ran when another disk was put there may have made a file of its own. */
  private static boolean isNewOrEmpty(Path directory) throws IOException {
    for (Path entry : Trash.list(directory)) {
      String name = String.valueOf(entry.getFileName());
      boolean ours =
          name.equals(WriterLock.FILE_NAME)
              || name.startsWith(StoreIdentity.FILE_NAME)
              || name.startsWith(RUN);
      if (!ours && !name.equals("lost+found")) {
        return false;
      }
    }
    return true;
  }

  private void clean() throws IOException {
    new Trash(files, directory).empty(Instant.now());
    for (Group group : listedGroups().groups()) {
      try {
        for (Path entry : Trash.list(directoryOf(group))) {
          if (String.valueOf(entry.getFileName()).startsWith(BlockWriter.TEMPORARY_PREFIX)) {
            Trash.deleteTree(files, entry);
          }
        }
      } catch (StoreWriteException e) {
        throw e;
      } catch (IOException e) {
        // The caller reports the error when it lists the group's blocks.
      }
    }
  }

  /** Unlinks blocks that are out of use and that no reader needs any more. */
  public void emptyTrash() throws IOException {
    requireWriter();
    synchronized (emptying) {
      new Trash(files, directory).empty(Instant.now());
    }
  }

  /**
   * Unlinks blocks that are out of use until the files of the remaining ones have at most {@code
   * maxBytes}. The blocks that went out of use first are unlinked first.
   */
  public void shrinkTrash(long maxBytes) throws IOException {
    requireWriter();
    synchronized (emptying) {
      new Trash(files, directory).shrink(maxBytes);
    }
  }

  /** Returns the size in bytes of blocks that are out of use and not unlinked yet. */
  public long trashBytes() throws IOException {
    return new Trash(files, directory).bytes();
  }

  public Path directory() {
    return directory;
  }

  public StoreIdentity identity() {
    return identity;
  }

  /**
   * Returns the groups that have a directory in the store, sorted.
   *
   * @throws StoreException if the root or any system's directory cannot be listed
   */
  public List<Group> groups() throws IOException {
    StoreGroups listed = listedGroups();
    if (!listed.unlisted().isEmpty()) {
      throw new StoreException(String.join(", ", listed.unlisted().values()));
    }
    return listed.groups();
  }

  /**
   * Returns the groups that have a directory in the store. A system whose directory cannot be
   * listed does not hide the groups of other systems.
   *
   * @throws StoreException if the root cannot be listed
   */
  public StoreGroups listedGroups() throws IOException {
    List<Group> groups = new ArrayList<>();
    SortedMap<String, String> unlisted = new TreeMap<>();
    for (Path system : systems()) {
      String name = String.valueOf(system.getFileName());
      try {
        groups.addAll(groupsIn(system));
      } catch (IOException e) {
        unlisted.put(name, unlisted(system, e));
      }
    }
    groups.sort(null);
    return new StoreGroups(groups, unlisted);
  }

  /**
   * Returns the groups of one system that have a directory in the store. Lists no other directory.
   *
   * @throws StoreException if the system's directory cannot be listed
   */
  public List<Group> groupsOf(String system) throws StoreException {
    try {
      return groupsIn(directory.resolve(system));
    } catch (IOException e) {
      throw new StoreException(unlisted(directory.resolve(system), e));
    }
  }

  private static List<Group> groupsIn(Path system) throws IOException {
    List<Group> groups = new ArrayList<>();
    try {
      for (Path group : Trash.list(system)) {
        if (Files.isDirectory(group)) {
          groups.add(
              new Group(String.valueOf(system.getFileName()), String.valueOf(group.getFileName())));
        }
      }
    } catch (NotDirectoryException e) {
      // It is a file in the root.
    }
    return groups;
  }

  private List<Path> systems() throws IOException {
    try {
      return Trash.list(directory).stream()
          .filter(entry -> !isOurs(String.valueOf(entry.getFileName())))
          // A process that opens and closes its own lock file, for example to list it, loses the
          // lock.
          .filter(entry -> !Files.isRegularFile(entry))
          .toList();
    } catch (IOException e) {
      throw new StoreException(unlisted(directory, e));
    }
  }

  private static String unlisted(Path directory, IOException e) {
    return "directory of the store cannot be listed: directory="
        + directory
        + ", found "
        + e
        + "; check the store's disk";
  }

  /** Returns whether a directory in the root does not belong to a system. */
  private static boolean isOurs(String name) {
    return OURS.contains(name);
  }

  /** Returns the directory of a group's blocks, whether it exists or not. */
  public Path directoryOf(Group group) {
    return directory.resolve(group.system()).resolve(group.name());
  }

  /**
   * Returns the group's complete blocks that are in use, in log order, as {@link BlockList#inForce}
   * defines it. Each call lists the directory again. If a listed block was merged or evicted before
   * it was opened, the directory is listed once more ({@link BlockList#hasRemoved}).
   *
   * @param problems receives an exception for each damaged block, which is excluded
   */
  public List<Block> blocks(Group group, Consumer<CorruptBlockException> problems)
      throws IOException {
    List<CorruptBlockException> corrupt = new ArrayList<>();
    List<Block> blocks = list(group).inForce(null, corrupt);
    for (int i = 1; i < BlockList.MAX_LISTINGS && BlockList.hasRemoved(corrupt); i++) {
      corrupt.clear();
      blocks = list(group).inForce(null, corrupt);
    }
    corrupt.forEach(problems);
    return blocks;
  }

  /** Returns the group's blocks by name. Each call lists the directory again. */
  public BlockList list(Group group) throws IOException {
    return BlockList.of(directoryOf(group), group, memory);
  }

  /** Returns whether the store has a directory of a group. */
  public boolean has(Group group) {
    return !isOurs(group.system()) && Files.isDirectory(directoryOf(group));
  }

  /**
   * Begins a block.
   *
   * @throws IllegalStateException if the store is open for reading only
   */
  public BlockWriter write(Group group, WriteProfile profile) throws IOException {
    return write(group, profile, Pace.FREE);
  }

  /** Begins a block that is written at a pace. The store is open for writing. */
  public BlockWriter write(Group group, WriteProfile profile, Pace pace) throws IOException {
    requireWriter();
    StoreIdentity.requireIn(directory);
    Path groupDirectory = directoryOf(group);
    // Existing directories are forced, too, because an earlier writer may have been killed before
    // it did so.
    files.createDirectories(groupDirectory);
    files.forceDirectory(directory.resolve(group.system()));
    files.forceDirectory(directory);
    return new BlockWriter(
        PacedFiles.of(files, pace), new Trash(files, directory), groupDirectory, group, profile);
  }

  /** Begins a new generation of a block that has rollups. The store is open for writing. */
  public RollupAddition addRollups(Block block, Pace pace) throws IOException {
    requireWriter();
    return new RollupAddition(
        PacedFiles.of(files, pace), new Trash(files, directory), directoryOf(block.group()), block);
  }

  /**
   * Takes a block out of use. Its files are unlinked when no reader can still need them.
   *
   * @return false if another thread already took it out of use, for example after a merge
   */
  public boolean discard(Block block) throws IOException {
    return discard(block.directory());
  }

  private boolean discard(Path block) throws IOException {
    requireWriter();
    StoreIdentity.requireIn(directory);
    removals.lock();
    try {
      return new Trash(files, directory).put(block, Instant.now());
    } finally {
      removals.unlock();
    }
  }

  /**
   * Returns the lock under which blocks are taken out of use. A merge holds it from its last check
   * of its source blocks until they are out of use. Otherwise the merged block could have events of
   * a block that another thread took out of use.
   */
  public Lock removals() {
    return removals;
  }

  /**
   * Returns the begin and end of a block that cannot be opened, from its name.
   *
   * @return two positions, or an empty list if the problem does not concern a block
   */
  public static List<LogPosition> endsOf(CorruptBlockException problem) {
    Path block = problem.file().getParent();
    return block == null
        ? List.of()
        : BlockName.parse(String.valueOf(block.getFileName()))
            .map(name -> List.of(name.from(), name.to()))
            .orElse(List.of());
  }

  /** Takes a block that cannot be opened out of use. */
  public void discardDamaged(CorruptBlockException problem) throws IOException {
    Path block = problem.file().getParent();
    if (block != null && BlockName.parse(String.valueOf(block.getFileName())).isPresent()) {
      discard(block);
    }
  }

  /** Takes every block out of use that is inside another block in use. */
  public void discardSuperseded(Group group) throws IOException {
    requireWriter();
    List<Block> inForce = blocks(group, problem -> {});
    for (Block block : list(group).open(null, new ArrayList<>())) {
      boolean superseded =
          inForce.stream()
              .anyMatch(
                  wider ->
                      !wider.directory().equals(block.directory())
                          && wider.summary().contains(block.summary()));
      if (superseded) {
        discard(block);
      }
    }
  }

  /**
   * Returns the generation of a new block that replaces others.
   *
   * @return one more than the largest of their generations, at least 1
   */
  public static int nextGeneration(List<Block> replaced) {
    int generation = 1;
    for (Block block : replaced) {
      generation = Math.max(generation, block.generation() + 1);
    }
    return generation;
  }

  private void requireWriter() {
    if (lock == null) {
      throw new IllegalStateException("store is open for reading only: " + directory);
    }
  }

  @Override
  public void close() throws IOException {
    if (lock != null) {
      lock.close();
    }
  }
}
