package org.kblake.simulate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.ReferenceLayout;

/** Reads an undamaged log event by event. It uses the layout only. */
public final class LogWalk {

  private static final LogLayout LAYOUT = ReferenceLayout.INSTANCE;

  private final ByteBuffer log;
  private int at;
  private int next;

  /**
   * Opens a log.
   *
   * @param logPath a log, its index beside it
   */
  public LogWalk(Path logPath) throws IOException {
    String name = logPath.getFileName().toString();
    Path indexPath = logPath.resolveSibling(name.substring(0, name.length() - 1) + "1");
    ByteOrder order = LAYOUT.recognise(ByteBuffer.wrap(Files.readAllBytes(indexPath)));
    if (order == null) {
      throw new IOException("no index of the reference layout: " + indexPath);
    }
    log = ByteBuffer.wrap(Files.readAllBytes(logPath)).order(order);
  }

  /** Returns all logs below a root, by group and time. */
  static List<Path> logs(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> file.toString().endsWith(".log2")).sorted().toList();
    }
  }

  /** Reads the next event. */
  public boolean next() {
    at = next;
    if (at == log.capacity()) {
      return false;
    }
    next = at + length();
    return true;
  }

  public int offset() {
    return at;
  }

  int length() {
    return LAYOUT.length(log, at);
  }

  public boolean milestone() {
    return id() == LogLayout.MILESTONE_ID;
  }

  public int id() {
    return LAYOUT.id(log, at);
  }

  public long nanos() {
    return LAYOUT.nanos(log, at);
  }

  public int state() {
    return LAYOUT.state(log, at);
  }

  public int severity() {
    return LAYOUT.severity(log, at);
  }

  public int status() {
    return LAYOUT.status(log, at);
  }

  public byte[] value() {
    byte[] value = new byte[length() - LAYOUT.recordHeaderBytes()];
    log.get(at + LAYOUT.recordHeaderBytes(), value);
    return value;
  }
}
