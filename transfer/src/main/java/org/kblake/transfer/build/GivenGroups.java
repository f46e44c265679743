package org.kblake.transfer.build;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.model.Group;
import org.kblake.transfer.TransferNames;
import org.kblake.transfer.message.Control;
import org.kblake.transfer.message.Frame;
import org.kblake.transfer.message.ProtocolException;

/**
 * The groups that a collector has given on a connection. What fails for one of them ends only that
 * one: it is denied, and the frames that are on their way are passed over. For one thread.
 */
final class GivenGroups implements Closeable {

  private final CollectorLink link;
  private final PairCloser closer = new PairCloser();
  private final NewestPairs newest = new NewestPairs();
  private final Map<Integer, TakenGroup> groups = new HashMap<>();

  /** The last number that was given. They grow, so an earlier one is of a group that has ended. */
  private int last;

  GivenGroups(CollectorLink link) {
    this.link = link;
  }

  /** Takes or denies a group, and returns the answer. */
  Control give(int number, String name) throws ProtocolException {
    if (number <= last) {
      throw new ProtocolException("the collector gives a number twice: " + number);
    }
    last = number;
    Group group = TransferNames.group(name);
    if (group == null) {
      return deny(number, name, "not a name of a group: " + name);
    }
    String denial = link.claim(group);
    return denial == null ? take(number, group) : deny(number, name, denial);
  }

  private Control take(int number, Group group) throws ProtocolException {
    TakenGroup taken = new TakenGroup(group, link.settings().root(), link.quota(), closer);
    groups.put(number, taken);
    try {
      Control answer =
          new Control.Has(
              number, link.settings().limits().since().getAsLong(), taken.pairs(newest));
      link.list().add(group);
      link.failures().end(group.toString());
      return answer;
    } catch (ProtocolException e) {
      throw e;
    } catch (IOException e) {
      return end(number, group, e);
    }
  }

  /**
   * Appends the payload of a frame.
   *
   * @return what to answer; null for nothing
   */
  @Nullable Control append(Frame frame, ByteBuffer payload) throws ProtocolException {
    return with(
        frame,
        group -> {
          group.append(frame, payload);
          return null;
        });
  }

  /**
   * Says what the builder has of a pair.
   *
   * @return what to answer; null for nothing
   */
  @Nullable Control ask(Frame frame) throws ProtocolException {
    return with(
        frame, group -> new Control.Position(frame.number(), group.position(frame.stamp())));
  }

  /** What is done with a group. */
  private interface Work {
    @Nullable Control with(TakenGroup group) throws IOException;
  }

  private @Nullable Control with(Frame frame, Work work) throws ProtocolException {
    TakenGroup group = groups.get(frame.number());
    if (group == null) {
      if (frame.number() > last) {
        throw new ProtocolException("frame is of no group: number=" + frame.number());
      }
      return null;
    }
    try {
      return work.with(group);
    } catch (ProtocolException e) {
      throw e;
    } catch (IOException e) {
      return end(frame.number(), group.group(), e);
    }
  }

  private Control end(int number, Group group, IOException problem) {
    remove(number);
    return deny(number, group.toString(), "group=" + group + ", " + problem.getMessage());
  }

  private Control deny(int number, String group, String reason) {
    if (link.failures().add(group, reason)) {
      link.log().warn("group is not taken: collector=" + link + ", " + reason);
    }
    return new Control.Denied(number, reason);
  }

  /** Gives a group up that the collector cannot send. */
  void fail(int number, String reason) {
    TakenGroup group = groups.get(number);
    if (group != null && link.failures().add(group.group().toString(), reason)) {
      link.log().warn("collector cannot send a group: collector=" + link + ", " + reason);
    }
    remove(number);
  }

  /** Gives a group up. */
  void remove(int number) {
    TakenGroup group = groups.remove(number);
    if (group != null) {
      link.release(group.group());
      try {
        group.close();
      } catch (IOException e) {
        link.log().warn("cannot close a pair: group=" + group.group() + ", " + e.getMessage());
      }
    }
  }

  @Override
  public void close() throws IOException {
    groups.values().forEach(each -> link.release(each.group()));
    try (closer) {
      FirstFailure.closeAll(groups.values().toArray(new Closeable[0]));
    }
    groups.clear();
  }
}
