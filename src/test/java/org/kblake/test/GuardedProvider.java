package org.kblake.test;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The disk, but for one tree that nothing may change: not even open for writing. It holds for every
 * user, root too, whom permissions do not bind. Every path that comes of {@link #path} is guarded,
 * and so is every path that is made of one.
 */
final class GuardedProvider extends FileSystemProvider {

  private static final Set<OpenOption> WRITING =
      Set.of(
          StandardOpenOption.WRITE,
          StandardOpenOption.APPEND,
          StandardOpenOption.CREATE,
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.DELETE_ON_CLOSE);

  private final FileSystemProvider disk = FileSystems.getDefault().provider();
  private final FileSystem fileSystem = new GuardedFileSystem(this);
  private final Path tree;
  private final List<String> refusals = Collections.synchronizedList(new ArrayList<>());
  private @Nullable Path stalled;
  private volatile @Nullable Path broken;
  private final List<String> listings = Collections.synchronizedList(new ArrayList<>());
  private boolean deaf;
  private final List<Path> waiting = new CopyOnWriteArrayList<>();
  private @Nullable Path forbidden;
  private final List<String> reads = Collections.synchronizedList(new ArrayList<>());
  private final @Nullable FailingReads failing;

  /**
   * @param tree absolute, on the disk
   */
  GuardedProvider(Path tree) {
    this(tree, null);
  }

  /**
   * @param tree absolute, on the disk
   * @param failing is asked before each read
   */
  GuardedProvider(Path tree, @Nullable FailingReads failing) {
    this.tree = tree;
    this.failing = failing;
  }

  /** What was asked of the tree and refused. */
  List<String> refusals() {
    return refusals;
  }

  /** Files of the tree that were opened for reading. */
  List<String> reads() {
    return reads;
  }

  /**
   * Lets nothing below a directory be answered any more, as a server that is gone does, until
   * {@link #answer}.
   */
  synchronized void stall(Path directory) {
    stalled = directory;
  }

  /** Directories that were listed. */
  List<String> listings() {
    return listings;
  }

  /** Lets a file be looked at, but not opened any more. */
  void breakFile(Path file) {
    broken = file;
  }

  /** As {@link #stall}, and whoever waits does not even hear of an interrupt, as in the kernel. */
  synchronized void hang(Path directory) {
    deaf = true;
    stalled = directory;
  }

  /** Files that somebody waited for since they were not answered. */
  List<Path> waiting() {
    return waiting;
  }

  /** Lets a directory not be listed, as one that the user has no right to read. */
  synchronized void forbid(Path directory) {
    forbidden = directory;
  }

  /** Answers everything again. */
  synchronized void answer() {
    stalled = null;
    notifyAll();
  }

  private Path answered(Path path) throws IOException {
    Path real = real(path);
    Path absolute = real.toAbsolutePath().normalize();
    boolean interrupted = false;
    synchronized (this) {
      while (stalled != null && absolute.startsWith(stalled)) {
        waiting.add(absolute);
        try {
          wait();
        } catch (InterruptedException e) {
          if (deaf) {
            interrupted = true;
          } else {
            Thread.currentThread().interrupt();
            throw new IOException("given up: " + real, e);
          }
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (failing != null) {
      failing.read(real);
    }
    return real;
  }

  /** A path on the disk as one that is guarded. */
  Path path(Path real) {
    return (Path)
        Proxy.newProxyInstance(
            GuardedProvider.class.getClassLoader(),
            new Class<?>[] {Path.class, Guarded.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "real" -> real;
                  case "getFileSystem" -> fileSystem;
                  case "toFile" -> throw new UnsupportedOperationException("not on the disk");
                  default -> {
                    try {
                      yield guarded(method.invoke(real, unguarded(arguments)));
                    } catch (InvocationTargetException e) {
                      throw Objects.requireNonNull(e.getCause());
                    }
                  }
                });
  }

  /** What a guarded path is besides. */
  private interface Guarded {
    Path real();
  }

  private static Path real(Path path) {
    return path instanceof Guarded guarded ? guarded.real() : path;
  }

  private @Nullable Object guarded(@Nullable Object result) {
    if (result instanceof Path path) {
      return path(path);
    }
    if (result instanceof Iterator<?> names) {
      List<Object> guarded = new ArrayList<>();
      names.forEachRemaining(name -> guarded.add(path((Path) name)));
      return guarded.iterator();
    }
    return result;
  }

  private static Object @Nullable [] unguarded(Object @Nullable [] arguments) {
    if (arguments == null) {
      return null;
    }
    Object[] unguarded = arguments.clone();
    for (int i = 0; i < unguarded.length; i++) {
      if (unguarded[i] instanceof Path path) {
        unguarded[i] = real(path);
      }
    }
    return unguarded;
  }

  private Path changing(String what, Path path) {
    Path real = real(path);
    if (real.toAbsolutePath().normalize().startsWith(tree)) {
      refusals.add(what + " " + real);
      throw new AssertionError(what + " in a tree that is only read: " + real);
    }
    return real;
  }

  private Path opened(Path path, Set<? extends OpenOption> options) throws IOException {
    if (!Collections.disjoint(options, WRITING)) {
      return changing("open for writing", path);
    }
    Path real = answered(path);
    if (real.equals(broken)) {
      throw new FileSystemException(real.toString(), null, "Input/output error");
    }
    if (real.toAbsolutePath().normalize().startsWith(tree)) {
      reads.add(real.toString());
    }
    return real;
  }

  @Override
  public String getScheme() {
    return "guarded";
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return fileSystem;
  }

  @Override
  public Path getPath(URI uri) {
    return path(Path.of(uri));
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    Path real = opened(path, options);
    FileChannel channel = disk.newFileChannel(real, options, attributes);
    return failing != null && failing.concerns(real) ? failing.channel(real, channel) : channel;
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return disk.newByteChannel(opened(path, options), options, attributes);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
    listings.add(real(directory).toString());
    Path real = answered(directory);
    synchronized (this) {
      if (real.equals(forbidden)) {
        throw new AccessDeniedException(real.toString());
      }
    }
    DirectoryStream<Path> stream =
        disk.newDirectoryStream(real, entry -> filter.accept(path(entry)));
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return StreamSupport.stream(stream.spliterator(), false)
            .map(GuardedProvider.this::path)
            .iterator();
      }

      @Override
      public void close() throws IOException {
        stream.close();
      }
    };
  }

  @Override
  public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
    disk.createDirectory(changing("create directory", directory), attributes);
  }

  @Override
  public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    disk.createSymbolicLink(changing("create link", link), real(target), attributes);
  }

  @Override
  public void createLink(Path link, Path existing) throws IOException {
    disk.createLink(changing("create link", link), changing("link", existing));
  }

  @Override
  public void delete(Path path) throws IOException {
    disk.delete(changing("delete", path));
  }

  @Override
  public Path readSymbolicLink(Path link) throws IOException {
    return path(disk.readSymbolicLink(real(link)));
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    disk.copy(real(source), changing("copy to", target), options);
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    disk.move(changing("move from", source), changing("move to", target), options);
  }

  @Override
  public boolean isSameFile(Path path, Path other) throws IOException {
    return disk.isSameFile(real(path), real(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return disk.isHidden(real(path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    FileStore store = disk.getFileStore(real(path));
    return failing == null ? store : failing.store(store);
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    disk.checkAccess(answered(path), modes);
  }

  /** Views change attributes, so none of the tree's is handed out. */
  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return disk.getFileAttributeView(changing("attribute view", path), type, options);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return disk.readAttributes(answered(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
      throws IOException {
    return disk.readAttributes(answered(path), attributes, options);
  }

  @Override
  public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
      throws IOException {
    disk.setAttribute(changing("set attribute", path), attribute, value, options);
  }
}
