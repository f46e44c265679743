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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.log.file.FileTree;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.access.AccessDirectory;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.BlockName;
import org.kblake.core.internal.store.block.BlockWriter;
import org.kblake.core.internal.store.block.LogPosition;
import org.kblake.core.internal.store.block.Trash;
import org.kblake.core.internal.store.chunk.ChunkLookupCache;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.core.internal.store.file.PacedFiles;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.internal.store.file.StoreWriteException;
import org.kblake.core.internal.store.file.WriteErrorFiles;
import org.kblake.core.model.Group;

/**
 * The directory of columns: {@code SYSTEM/GROUP/BLOCK/}. Its files are its catalog: what is there
 * counts. Safe for many threads; any number of readers beside at most one writer.
 */
public final class Store implements AutoCloseable {

  /** The directory in the root where other processes ask the one that writes for something. */
  public static final String REQUESTS = "requests";

  /** Directories in the root that are no system's. */
  private static final List<String> OURS =
      List.of(Trash.DIRECTORY, AccessDirectory.NAME, Pins.DIRECTORY, REQUESTS, "lost+found");

  private final Path directory;
  private final StoreIdentity identity;

  /** Held by whoever unlinks what is out of use. */
  private final Object emptying = new Object();

  private final StoreFiles files;
  private final @Nullable WriterLock lock;

  /** A writer looks at what is on the disk. */
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
   * @param expected what the store must be of; null to take any
   * @throws StoreException saying which reason
   */
  public static Store open(Path directory, @Nullable StoreIdentity expected) throws IOException {
    StoreIdentity identity = StoreIdentity.read(directory);
    if (expected != null) {
      identity.check(expected, directory);
    }
    return new Store(directory, identity, StoreFiles.LOCAL, null);
  }

  /** Opens a store for writing on the local file system. */
  public static Store openForWriting(Path directory, StoreIdentity identity) throws IOException {
    return openForWriting(directory, identity, StoreFiles.LOCAL);
  }

  /**
   * Opens a store for writing, and makes it where there is none. What a writer before left
   * unfinished is removed.
   *
   * @throws StoreException.Locked naming the holder, if the store has a writer
   * @throws StoreException.Misplaced if the directory is inside the archive
   * @throws StoreWriteException if the disk does not take what is written
   */
  public static Store openForWriting(Path directory, StoreIdentity identity, StoreFiles disk)
      throws IOException {
    StoreFiles files = new WriteErrorFiles(disk);
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new NotDirectoryException(directory.toString());
    }
    if (new FileTree(Path.of(identity.archive())).holds(directory)) {
      throw new StoreException.Misplaced(
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
    WriterLock lock = WriterLock.take(directory);
    try {
      StoreIdentity present = identity;
      if (Files.notExists(directory.resolve(StoreIdentity.FILE_NAME))) {
        identity.write(files, directory);
      } else {
        present = StoreIdentity.read(directory);
        present.check(identity, directory);
      }
      Store store = new Store(directory, present, files, lock);
      store.clean();
      wantAccessRecords(directory);
      return store;
    } catch (Throwable e) {
      FirstFailure.close(e, lock::close);
      throw e;
    }
  }

  private static void wantAccessRecords(Path directory) {
    try {
      new AccessDirectory(directory).prepare();
    } catch (IOException e) {
      // Readers record nothing then. The collector of records reports it, and no block depends on
      // them.
    }
  }

  private static boolean isNewOrEmpty(Path directory) throws IOException {
    for (Path entry : Trash.list(directory)) {
      String name = String.valueOf(entry.getFileName());
      boolean ours = name.equals(WriterLock.FILE_NAME) || name.startsWith(StoreIdentity.FILE_NAME);
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
        // The caller that lists the group's blocks reports it.
      }
    }
  }

  /** Unlinks blocks that have been out of use for so long that no reader needs them. */
  public void emptyTrash() throws IOException {
    requireWriter();
    synchronized (emptying) {
      new Trash(files, directory).empty(Instant.now());
    }
  }

  /**
   * Unlinks blocks that are out of use, those first that have been for the longest time, until the
   * files of the others have no more bytes than so many.
   */
  public void shrinkTrash(long mostBytes) throws IOException {
    requireWriter();
    synchronized (emptying) {
      new Trash(files, directory).shrink(mostBytes);
    }
  }

  /** Bytes of the files of blocks that are out of use and not unlinked yet. */
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
   * The groups that the store has directories of, sorted.
   *
   * @throws StoreException.Unlisted if the root or any system's directory cannot be listed
   */
  public List<Group> groups() throws IOException {
    StoreGroups listed = listedGroups();
    if (!listed.unlisted().isEmpty()) {
      throw new StoreException.Unlisted(String.join(", ", listed.unlisted().values()));
    }
    return listed.groups();
  }

  /**
   * The groups that the store has directories of, as far as they can be listed: the trouble of one
   * system is not that of others.
   *
   * @throws StoreException.Unlisted if the root cannot be listed
   */
  public StoreGroups listedGroups() throws IOException {
    List<Group> groups = new ArrayList<>();
    SortedMap<String, String> unlisted = new TreeMap<>();
    for (Path system : systems()) {
      String name = String.valueOf(system.getFileName());
      try {
        for (Path group : Trash.list(system)) {
          if (Files.isDirectory(group)) {
            groups.add(new Group(name, String.valueOf(group.getFileName())));
          }
        }
      } catch (NotDirectoryException e) {
        // A file of the root.
      } catch (IOException e) {
        unlisted.put(name, unlisted(system, e));
      }
    }
    groups.sort(null);
    return new StoreGroups(groups, unlisted);
  }

  private List<Path> systems() throws IOException {
    try {
      return Trash.list(directory).stream()
          .filter(entry -> !isOurs(String.valueOf(entry.getFileName())))
          // A process that opens and closes its lock's file, as by listing it, loses the lock.
          .filter(entry -> !Files.isRegularFile(entry))
          .toList();
    } catch (IOException e) {
      throw new StoreException.Unlisted(unlisted(directory, e));
    }
  }

  private static String unlisted(Path directory, IOException e) {
    return "directory of the store cannot be listed: directory="
        + directory
        + ", found "
        + e
        + "; check the store's disk";
  }

  /** Whether a directory in the root is not a system's. */
  private static boolean isOurs(String name) {
    return OURS.contains(name);
  }

  /** Where a group's blocks are, if it has any. */
  public Path directoryOf(Group group) {
    return directory.resolve(group.system()).resolve(group.name());
  }

  /**
   * The group's blocks that are in use, in log order: complete, inside no wider or newer one, no
   * two of the same byte. Listed again at each call.
   *
   * @param problems gets a line on each damaged block; it is excluded
   */
  public List<Block> blocks(Group group, Consumer<CorruptBlockException> problems)
      throws IOException {
    List<CorruptBlockException> corrupt = new ArrayList<>();
    List<Block> blocks = list(group).inForce(null, corrupt);
    corrupt.forEach(problems);
    return blocks;
  }

  /** The group's blocks by their names. Listed again at each call. */
  public BlockList list(Group group) throws IOException {
    return BlockList.of(directoryOf(group), group, memory);
  }

  /** Whether the store has a directory of a group. */
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

  /**
   * Begins a block that is written at a pace.
   *
   * @throws IllegalStateException if the store is open for reading only
   */
  public BlockWriter write(Group group, WriteProfile profile, Pace pace) throws IOException {
    requireWriter();
    Path groupDirectory = directoryOf(group);
    // Forced even where they are there: a writer before may have been killed in between.
    files.createDirectories(groupDirectory);
    files.forceDirectory(directory.resolve(group.system()));
    files.forceDirectory(directory);
    StoreFiles paced = pace.equals(Pace.FREE) ? files : new PacedFiles(files, pace);
    return new BlockWriter(paced, new Trash(files, directory), groupDirectory, group, profile);
  }

  /** Takes a block out of use; its files are unlinked when no reader can still need them. */
  public void discard(Block block) throws IOException {
    requireWriter();
    new Trash(files, directory).put(block.directory(), Instant.now());
  }

  /**
   * Where a block that cannot even be opened begins and ends, by its name.
   *
   * @return two positions, or none if the problem is of no block
   */
  public static List<LogPosition> endsOf(CorruptBlockException problem) {
    Path block = problem.file().getParent();
    return block == null
        ? List.of()
        : BlockName.parse(String.valueOf(block.getFileName()))
            .map(name -> List.of(name.from(), name.to()))
            .orElse(List.of());
  }

  /** Takes a block that cannot even be opened out of sight. */
  public void discardDamaged(CorruptBlockException problem) throws IOException {
    requireWriter();
    Path block = problem.file().getParent();
    if (block != null && BlockName.parse(String.valueOf(block.getFileName())).isPresent()) {
      new Trash(files, directory).put(block, Instant.now());
    }
  }

  /** Takes every block out of use that another one in use holds wholly. */
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
   * The generation for a new block that is to replace these.
   *
   * @return one more than any of theirs, at least 1
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
