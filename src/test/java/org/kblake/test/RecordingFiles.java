package org.kblake.test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kblake.core.store.StoreFiles;

/**
 * Writes through to the disk and remembers every step, so that a power cut after any of them can be
 * acted out: what was not forced by then is lost, be it bytes of a file or names in a directory.
 */
final class RecordingFiles implements StoreFiles {

  /** One step of a store's writer. */
  private interface Step {
    void applyTo(Disk disk);
  }

  private final Path root;
  private final List<Step> steps = new ArrayList<>();

  /**
   * @param root the directory that is acted out; it exists and lasts
   */
  RecordingFiles(Path root) {
    this.root = root;
  }

  int steps() {
    return steps.size();
  }

  /**
   * Writes what a power cut leaves.
   *
   * @param stepsDone how many steps were done when the power went
   * @param namesLast whether names that were not forced are on the disk nevertheless, as they may
   *     be
   */
  void powerCut(int stepsDone, boolean namesLast, Path into) throws IOException {
    Disk disk = new Disk();
    for (Step step : steps.subList(0, stepsDone)) {
      step.applyTo(disk);
    }
    disk.root.write(into, namesLast);
  }

  private String[] names(Path path) {
    Path relative = root.relativize(path);
    String[] names = new String[relative.getNameCount()];
    for (int i = 0; i < names.length; i++) {
      names[i] = relative.getName(i).toString();
    }
    return names;
  }

  @Override
  public synchronized Output create(Path file) throws IOException {
    String[] names = names(file);
    FileNode node = new FileNode();
    steps.add(
        disk -> {
          node.clear();
          disk.parentOf(names).present.put(names[names.length - 1], node);
        });
    Output local = StoreFiles.LOCAL.create(file);
    return new RecordedOutput(local, node);
  }

  @Override
  public synchronized void createDirectories(Path directory) throws IOException {
    StoreFiles.LOCAL.createDirectories(directory);
    if (directory.equals(root)) {
      return;
    }
    String[] names = names(directory);
    steps.add(disk -> disk.directory(names, names.length));
  }

  @Override
  public synchronized void forceDirectory(Path directory) throws IOException {
    StoreFiles.LOCAL.forceDirectory(directory);
    if (!directory.startsWith(root)) {
      return;
    }
    if (directory.equals(root)) {
      steps.add(disk -> disk.root.force());
      return;
    }
    String[] names = names(directory);
    steps.add(disk -> disk.directory(names, names.length).force());
  }

  @Override
  public synchronized void rename(Path from, Path to) throws IOException {
    StoreFiles.LOCAL.rename(from, to);
    String[] fromNames = names(from);
    String[] toNames = names(to);
    steps.add(
        disk -> {
          Node node = disk.parentOf(fromNames).present.remove(fromNames[fromNames.length - 1]);
          disk.parentOf(toNames).present.put(toNames[toNames.length - 1], node);
        });
  }

  @Override
  public synchronized void delete(Path path) throws IOException {
    StoreFiles.LOCAL.delete(path);
    String[] names = names(path);
    steps.add(disk -> disk.parentOf(names).present.remove(names[names.length - 1]));
  }

  private final class RecordedOutput implements Output {
    private final Output local;
    private final FileNode node;

    RecordedOutput(Output local, FileNode node) {
      this.local = local;
      this.node = node;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      byte[] bytes = new byte[source.remaining()];
      source.duplicate().get(bytes);
      synchronized (RecordingFiles.this) {
        steps.add(disk -> node.present.writeBytes(bytes));
      }
      return local.write(source);
    }

    @Override
    public long size() {
      return local.size();
    }

    @Override
    public void force() throws IOException {
      local.force();
      synchronized (RecordingFiles.this) {
        steps.add(disk -> node.durable = node.present.toByteArray());
      }
    }

    @Override
    public boolean isOpen() {
      return local.isOpen();
    }

    @Override
    public void close() throws IOException {
      local.close();
    }
  }

  /** A directory tree with what is forced and what is not. */
  private static final class Disk {
    final DirectoryNode root = new DirectoryNode();

    DirectoryNode directory(String[] names, int depth) {
      DirectoryNode at = root;
      for (int i = 0; i < depth; i++) {
        Node next = at.present.computeIfAbsent(names[i], name -> new DirectoryNode());
        at = (DirectoryNode) next;
      }
      return at;
    }

    DirectoryNode parentOf(String[] names) {
      return directory(names, names.length - 1);
    }
  }

  private interface Node {
    void write(Path to, boolean namesLast) throws IOException;
  }

  private static final class DirectoryNode implements Node {
    final Map<String, Node> present = new TreeMap<>();
    private Map<String, Node> durable = Map.of();

    void force() {
      durable = new TreeMap<>(present);
    }

    @Override
    public void write(Path to, boolean namesLast) throws IOException {
      Files.createDirectories(to);
      for (Map.Entry<String, Node> entry : (namesLast ? present : durable).entrySet()) {
        entry.getValue().write(to.resolve(entry.getKey()), namesLast);
      }
    }
  }

  private static final class FileNode implements Node {
    ByteArrayOutputStream present = new ByteArrayOutputStream();
    byte[] durable = new byte[0];

    /** Steps are acted out again and again: each time the file begins anew. */
    void clear() {
      present = new ByteArrayOutputStream();
      durable = new byte[0];
    }

    @Override
    public void write(Path to, boolean namesLast) throws IOException {
      Files.write(to, durable);
    }
  }
}
