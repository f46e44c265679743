package org.kblake.record.importing.appliance;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.record.importing.ImportReport;
import org.kblake.record.importing.ImportReport.Kind;
import org.kblake.record.importing.LeftOut;
import org.kblake.record.importing.SourceEvent;
import org.kblake.record.importing.appliance.PbHeader.GenericTypeException;

/** The files of an appliance below a directory, by channel. Their names do not matter. */
public final class PbTree {

  private static final String ENDING = ".pb";
  private static final int HEAD_BYTES = 1 << 12;
  private static final int TAIL_BYTES = 1 << 16;

  private final ImportReport report;
  private final Map<String, List<PbFile>> files = new TreeMap<>();
  private final Map<PbFile.Origin, PbFile.Origin> origins = new HashMap<>();
  private final Set<String> generic = new HashSet<>();

  private PbTree(ImportReport report) {
    this.report = report;
  }

  /**
   * Reads the begin and the end of all files of a directory.
   *
   * @param report gets files that cannot be used
   * @throws IOException if a file or directory cannot be read
   */
  public static PbTree read(Path directory, ImportReport report) throws IOException {
    PbTree tree = new PbTree(report);
    try (OpenFiles open = new OpenFiles()) {
      Files.walkFileTree(
          directory,
          EnumSet.of(FileVisitOption.FOLLOW_LINKS),
          Integer.MAX_VALUE,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              if (Thread.interrupted()) {
                throw new InterruptedIOException();
              }
              if (attributes.isRegularFile() && file.toString().endsWith(ENDING)) {
                tree.add(open, file, attributes.size());
                open.close(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    }
    tree.origins.clear();
    return tree;
  }

  private void add(OpenFiles open, Path path, long bytes) throws IOException {
    PbLines lines = new PbLines(open, path, HEAD_BYTES);
    try {
      PbHeader header = header(lines);
      PbCursor cursor = new PbCursor(path, 0, lines, header, LeftOut.untold());
      cursor.advance();
      SourceEvent first = cursor.head();
      long firstNanos = first == null ? header.yearSeconds() * 1_000_000_000L : first.nanos();
      long earliestNanos = firstNanos;
      while (cursor.head() != null && cursor.offset() < HEAD_BYTES) {
        cursor.advance();
        earliestNanos = earliest(earliestNanos, cursor.head());
      }
      Tail tail = tail(open, path, bytes, header);
      int elements = Math.max(tail.elements(), first == null ? 0 : first.elements());
      PbFile.Origin origin =
          new PbFile.Origin(path.resolveSibling(""), header.withElements(elements));
      files
          .computeIfAbsent(header.channel(), name -> new ArrayList<>())
          .add(
              new PbFile(
                  origins.computeIfAbsent(origin, same -> same),
                  String.valueOf(path.getFileName()),
                  bytes,
                  Math.min(earliestNanos, tail.earliestNanos()),
                  Math.max(firstNanos, tail.lastNanos())));
    } catch (GenericTypeException e) {
      if (generic.add(e.channel())) {
        report.count(Kind.CHANNEL, e.getMessage() + ", file=" + path);
      }
    } catch (MalformedSampleException e) {
      report.count(Kind.DAMAGED, "no file of the appliance, " + e.getMessage() + ": file=" + path);
    }
  }

  /** Reads the header. */
  static PbHeader header(PbLines lines) throws IOException {
    if (lines.next() != PbLines.Found.LINE) {
      throw new MalformedSampleException("it has no line");
    }
    return PbHeader.parse(lines.bytes(), lines.length());
  }

  /**
   * The end of a file.
   *
   * @param earliestNanos the earliest time of a sample
   * @param lastNanos the time of the last sample; the end of the year if this cannot be found at
   *     once
   * @param elements the most elements of a value
   */
  private record Tail(long earliestNanos, long lastNanos, int elements) {}

  private static Tail tail(OpenFiles open, Path path, long bytes, PbHeader header)
      throws IOException {
    PbLines lines = new PbLines(open, path, HEAD_BYTES, Math.max(0, bytes - TAIL_BYTES));
    PbCursor cursor = new PbCursor(path, 0, lines, header, LeftOut.untold());
    if (lines.next() == PbLines.Found.END) {
      return new Tail(Long.MAX_VALUE, Long.MIN_VALUE, 0);
    }
    int elements = 0;
    long earliest = Long.MAX_VALUE;
    SourceEvent last = null;
    cursor.advance();
    for (SourceEvent each = cursor.head(); each != null; each = cursor.head()) {
      last = each;
      earliest = earliest(earliest, each);
      elements = Math.max(elements, each.elements());
      cursor.advance();
    }
    return new Tail(
        earliest,
        last == null ? header.yearEndSeconds() * 1_000_000_000L : last.orderNanos(),
        elements);
  }

  private static long earliest(long nanos, @Nullable SourceEvent event) {
    return event == null || event.state() != EventState.VALUE
        ? nanos
        : Math.min(nanos, event.nanos());
  }

  /** Returns the names of all channels, in order. */
  public List<String> names() {
    return List.copyOf(files.keySet());
  }

  /**
   * Returns a channel with its files that may have events of a range.
   *
   * @return null if there are none
   */
  public @Nullable PbChannel channel(String name, TimeRange range) {
    List<PbFile> chosen = new ArrayList<>();
    for (PbFile file : files.getOrDefault(name, List.of())) {
      if (file.firstNanos() < range.toNanos() && file.lastNanos() >= range.fromNanos()) {
        chosen.add(file);
      }
    }
    chosen.sort(
        Comparator.comparingLong(PbFile::firstNanos).thenComparing(file -> file.path().toString()));
    return chosen.isEmpty() ? null : new PbChannel(name, chosen);
  }
}
