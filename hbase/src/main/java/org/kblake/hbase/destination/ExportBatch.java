package org.kblake.hbase.destination;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import net.jpountz.xxhash.XXHashFactory;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * The part of an export that is written at once: channels of a group in a range of time.
 *
 * @param group the group
 * @param names the names of the channels, sorted
 * @param range the range of time
 */
public record ExportBatch(Group group, List<String> names, TimeRange range) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.nnnnnnnnn", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  public ExportBatch {
    names = List.copyOf(names);
  }

  /** Returns the same channels in another range. */
  public ExportBatch in(TimeRange other) {
    return new ExportBatch(group, names, other);
  }

  /** Returns a name that no other batch has. It can be the name of a file. */
  public String name() {
    byte[] channels = String.join("\n", names).getBytes(StandardCharsets.UTF_8);
    long hash = XXHashFactory.fastestJavaInstance().hash64().hash(channels, 0, channels.length, 0);
    return URLEncoder.encode(group.system() + "+" + group.name(), StandardCharsets.UTF_8)
        + "."
        + TIME.format(EpochNanos.instant(range.fromNanos()))
        + "-"
        + TIME.format(EpochNanos.instant(range.toNanos()))
        + "."
        + String.format(Locale.ROOT, "%016x", hash);
  }
}
