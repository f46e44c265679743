package org.kblake.record.standby;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.IndexInput;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.ReferenceLayout;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.PairName;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.record.log.LogSettings;
import org.kblake.record.log.StampOrder;
import org.kblake.record.log.StampsFile;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/**
 * What the recorder before this one has written of a group: its stamps, and the events that its log
 * has after them. Later it counts what that one still adds. For one thread.
 */
public final class ActiveLog {

  private static final LogLayout LAYOUT = ReferenceLayout.INSTANCE;
  private static final int BUFFER_BYTES = 1 << 20;

  /** Stamps lack the events of about a second. */
  private static final int MOST_LATER = 1 << 20;

  private final Path directory;
  private final long keepNanos;
  private final Map<String, Mark> marks = new HashMap<>();

  private long aliveNanos;
  private int later;

  /** Whether the logs go on for longer than stamps can lack, so that others wrote them. */
  private boolean isOutdated;

  /** The pairs that were read, and where their logs ended. */
  private final Map<PairName, Long> ends = new TreeMap<>();

  /** Their sizes at the last look; a log may end in a part of an event. */
  private final Map<PairName, Long> sizes = new TreeMap<>();

  private ActiveLog(Path directory, long keepNanos) {
    this.directory = directory;
    this.keepNanos = keepNanos;
  }

  /**
   * Reads the newest stamps of a group, and the logs after them. Nothing is known without stamps,
   * or if the logs have a milestone that is later than the stamps by more than a time, or very many
   * events.
   *
   * @param root the archive's root
   * @param keepNanos this time: that for which a standby keeps events
   */
  public static ActiveLog read(Path root, Group group, long keepNanos) throws IOException {
    ActiveLog log = new ActiveLog(root.resolve(group.system()), keepNanos);
    log.read(group.name());
    return log;
  }

  /** Returns a log of which nothing is known. */
  public static ActiveLog unknown() {
    return new ActiveLog(Path.of(""), 0);
  }

  private void read(String group) throws IOException {
    NavigableSet<PairName> pairs = new TreeSet<>();
    NavigableSet<PairName> stamps = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        add(pairs, PairName.ofFile(name), group);
        add(stamps, StampsFile.pair(name), group);
      }
    } catch (NoSuchFileException e) {
      return;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    for (PairName pair : stamps.descendingSet()) {
      StampsFile.Content content = StampsFile.read(StampsFile.path(directory, pair));
      List<RecordEntry> records = records(pair);
      if (content != null && records.size() == content.records().size()) {
        aliveNanos = content.nanos();
        read(pair, records, content);
        for (PairName next : pairs.tailSet(pair, false)) {
          if (!isOutdated) {
            read(next, records(next), null);
          }
        }
        if (isOutdated) {
          forget();
        }
        return;
      }
    }
  }

  private void forget() {
    aliveNanos = 0;
    marks.clear();
    ends.clear();
  }

  private static void add(NavigableSet<PairName> names, @Nullable PairName name, String group) {
    if (name != null && name.group().equals(group) && name.hasTime()) {
      names.add(name);
    }
  }

  /** Returns the records of a pair; none if its index was not written whole, or is damaged. */
  private List<RecordEntry> records(PairName pair) throws IOException {
    Path index = directory.resolve(pair.indexFile());
    List<RecordEntry> records = new ArrayList<>();
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(index)).order(LogSettings.ORDER);
      if (bytes.limit() >= LAYOUT.magicBytes()
          && LogSettings.ORDER.equals(LAYOUT.recognise(bytes))) {
        IndexInput in = new IndexInput(index, bytes.order(LogSettings.ORDER), null);
        int count = LAYOUT.readHeader(in).recordCount();
        while (records.size() < count) {
          records.add(LAYOUT.readRecord(in));
        }
      }
      return records;
    } catch (NoSuchFileException
        | IndexInput.CutException
        | CorruptLogException
        | TooNewException e) {
      return List.of();
    }
  }

  private void read(PairName pair, List<RecordEntry> records, StampsFile.@Nullable Content content)
      throws IOException {
    long bytes = logBytes(pair);
    long from = 0;
    if (content != null) {
      for (int record = 0; record < records.size(); record++) {
        StampsFile.Written written = content.records().get(record);
        // After a power cut the log may lack what the stamps have. Then nothing is known.
        if (written != null && written.offset() < bytes && written.order().hasEvent()) {
          marks.put(records.get(record).name(), new Mark(written.order(), new ArrayList<>()));
        }
      }
      from = Math.min(bytes, content.logBytes());
    }
    Map<Integer, Integer> byId = new HashMap<>();
    for (int record = 0; record < records.size(); record++) {
      byId.put(records.get(record).id(), record);
    }
    long end =
        scan(
            pair,
            from,
            (buffer, at, offset) -> {
              if (LAYOUT.id(buffer, at) == LogLayout.MILESTONE_ID) {
                isOutdated = LAYOUT.nanos(buffer, at) > aliveNanos + keepNanos;
              }
              Integer record = byId.get(LAYOUT.id(buffer, at));
              if (record != null) {
                StampsFile.Written known = content == null ? null : content.records().get(record);
                if (content == null || known != null && known.offset() < offset) {
                  add(records.get(record), buffer, at);
                }
              }
              return !isOutdated;
            });
    ends.put(pair, end);
  }

  private void add(RecordEntry record, ByteBuffer log, int at) {
    Mark mark = marks.get(record.name());
    if (mark == null) {
      mark = new Mark(new StampOrder(), new ArrayList<>());
      marks.put(record.name(), mark);
    }
    int state = LAYOUT.state(log, at);
    int header = LAYOUT.recordHeaderBytes();
    if (state == EventState.VALUE_CODE) {
      int hash =
          ChannelEvent.contentHash(
              record.type(),
              LAYOUT.status(log, at),
              LAYOUT.severity(log, at),
              log,
              at + header,
              LAYOUT.length(log, at) - header);
      mark.later().add(new Mark.Later(EventKind.VALUE, hash));
    } else {
      boolean isDown = state == EventState.DISCONNECTED.code();
      EventKind kind = isDown ? EventKind.DISCONNECTED : EventKind.CONNECTED;
      mark.later().add(new Mark.Later(kind, 0));
    }
    isOutdated = ++later > MOST_LATER;
  }

  private long logBytes(PairName pair) throws IOException {
    try {
      return Files.size(directory.resolve(pair.logFile()));
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** Takes a whole event, or a milestone. */
  private interface Events {
    /** Returns whether it takes the next one. */
    boolean take(ByteBuffer buffer, int at, long offset);
  }

  /** Reads the whole events from an offset on. Returns the end of the last one. */
  private long scan(PairName pair, long from, Events events) throws IOException {
    long offset = from;
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(LogSettings.ORDER);
    try (FileChannel file = FileChannel.open(directory.resolve(pair.logFile()))) {
      while (true) {
        int bytes = Math.max(0, file.read(buffer.clear(), offset));
        int at = 0;
        while (at + LAYOUT.eventHeaderBytes() <= bytes
            && LAYOUT.length(buffer, at) <= bytes - at
            && LAYOUT.length(buffer, at) >= LAYOUT.eventHeaderBytes()) {
          boolean goesOn = events.take(buffer, at, offset + at);
          at += LAYOUT.length(buffer, at);
          if (!goesOn) {
            return offset + at;
          }
        }
        offset += at;
        if (at == 0) {
          int needed = bytes < LAYOUT.eventHeaderBytes() ? 0 : LAYOUT.length(buffer, 0);
          if (needed <= buffer.capacity() || offset + needed > file.size()) {
            return offset;
          }
          buffer = ByteBuffer.allocate(needed).order(LogSettings.ORDER);
        }
      }
    } catch (NoSuchFileException e) {
      return offset;
    }
  }

  /** Returns when the other recorder was last alive, 0 if nothing is known of it. */
  public long aliveNanos() {
    return aliveNanos;
  }

  /** Returns where a channel's events end, or null if that is not known. */
  @Nullable Mark mark(String channel) {
    return marks.get(channel);
  }

  /** Forgets where the channels' events end, once they are compared. */
  public void forgetChannels() {
    marks.clear();
  }

  /**
   * Returns the number of values that the logs have got since they were read, or since the last
   * call: the recorder of this log has them, too.
   */
  public long doubles() throws IOException {
    long[] values = {0};
    for (Map.Entry<PairName, Long> each : ends.entrySet()) {
      Long bytes = logBytes(each.getKey());
      if (bytes > each.getValue() && !bytes.equals(sizes.put(each.getKey(), bytes))) {
        each.setValue(
            scan(
                each.getKey(),
                each.getValue(),
                (buffer, at, offset) -> {
                  boolean isEvent = LAYOUT.id(buffer, at) != LogLayout.MILESTONE_ID;
                  if (isEvent && LAYOUT.state(buffer, at) == EventState.VALUE_CODE) {
                    values[0]++;
                  }
                  return true;
                }));
      }
    }
    return values[0];
  }
}
