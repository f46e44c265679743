package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.kblake.core.model.Group;

/** What the log of a ledger says, read from its bytes. */
final class LoggedLedger {

  static final Group GROUP = new Group("Kblake", "Record");

  /** A statement. Times are nanoseconds since 1970 UTC. */
  record Loss(String group, long atNanos, long fromNanos, long toNanos, long events, int reason) {}

  private final List<String> lines;

  private LoggedLedger(List<String> lines) {
    this.lines = lines;
  }

  static LoggedLedger read(Path root) throws IOException {
    return new LoggedLedger(LoggedEvents.read(root, GROUP));
  }

  /** Returns all statements about a group. */
  List<Loss> losses(Group group) {
    List<Loss> losses = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.split(" ");
      if (words[0].equals(group + ":LOSSES") && words.length > 5) {
        ByteBuffer value = ByteBuffer.wrap(HexFormat.of().parseHex(words[5]));
        assertThat(value.capacity()).isEqualTo(48);
        losses.add(
            new Loss(
                group.toString(),
                Long.parseLong(words[1]),
                nanos(value, 0),
                nanos(value, 16),
                (long) value.getDouble(32),
                (int) value.getDouble(40)));
      }
    }
    return losses;
  }

  private static long nanos(ByteBuffer value, int at) {
    return ((long) value.getDouble(at)) * 1_000_000_000 + (long) value.getDouble(at + 8);
  }

  List<Loss> losses(Group group, LossReason reason) {
    return losses(group).stream().filter(each -> each.reason == reason.code()).toList();
  }

  /** Returns the sum of the counts that statements about a group have. */
  long sum(Group group, LossReason... reasons) {
    return losses(group).stream()
        .filter(each -> List.of(reasons).stream().anyMatch(one -> one.code() == each.reason))
        .mapToLong(Loss::events)
        .sum();
  }

  /** Returns the values of a channel, a long or a double each. */
  List<Double> numbers(String channel) {
    List<Double> numbers = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.split(" ");
      if (words[0].equals(channel) && words.length > 5) {
        ByteBuffer value = ByteBuffer.wrap(HexFormat.of().parseHex(words[5]));
        numbers.add(value.capacity() == 4 ? value.getInt(0) : value.getDouble(0));
      }
    }
    return numbers;
  }

  double last(String channel) {
    List<Double> numbers = numbers(channel);
    return numbers.get(numbers.size() - 1);
  }

  /** Returns whether a time is in a span that is stated. */
  boolean has(Group group, long nanos) {
    return losses(group).stream()
        .anyMatch(each -> each.fromNanos <= nanos && nanos <= each.toNanos);
  }
}
