package org.kblake.query.internal.remote;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.arrow.ValueShape;

/**
 * What is known of an answer before its rows.
 *
 * <pre>
 *   kblake.transfer   1
 *   kblake.groups     the groups, URL-encoded
 *   kblake.channels   lines of GROUP CHANNEL, URL-encoded
 *   kblake.shapes     numbers of shapes
 *   kblake.held       a letter for each held value: d disconnected, c connected
 * </pre>
 *
 * @param channels the channels, in the order of the answer
 * @param groups the groups, in the order of the archive
 * @param shapes the types that values may have
 * @param held the connections of the held values, whose rows come first
 */
public record AnswerNames(
    List<Channel> channels, List<Group> groups, List<ValueShape> shapes, String held) {

  /** The key of the place after a batch. */
  public static final String POSITION = "kblake.position";

  /** The key of the types of channels that are new in a batch. */
  public static final String TYPES = "kblake.types";

  /** The key of the coverage so far; at the end, that of the answer. */
  public static final String COVERAGE = "kblake.coverage";

  private static final String TRANSFER = "kblake.transfer";
  private static final String CHANNELS = "kblake.channels";
  private static final String GROUPS = "kblake.groups";
  private static final String SHAPES = "kblake.shapes";
  private static final String HELD = "kblake.held";
  private static final int VERSION = 1;

  public AnswerNames {
    channels = List.copyOf(channels);
    groups = List.copyOf(groups);
    shapes = List.copyOf(shapes);
  }

  /** Returns a letter for each value. */
  public static String connections(List<HeldValue> held) {
    StringBuilder letters = new StringBuilder();
    for (HeldValue value : held) {
      letters.append(value.connection() == HeldValue.Connection.DISCONNECTED ? 'd' : 'c');
    }
    return letters.toString();
  }

  /** Returns the last state of a held value's channel. */
  public EventState lastState(int value) {
    return held.charAt(value) == 'd' ? EventState.DISCONNECTED : EventState.VALUE;
  }

  /** Returns the metadata of the schema. */
  public Map<String, String> metadata() {
    StringJoiner lines = new StringJoiner("\n");
    for (Channel channel : channels) {
      lines.add(Words.encode(channel.group().toString()) + " " + Words.encode(channel.name()));
    }
    StringJoiner names = new StringJoiner(" ");
    groups.forEach(group -> names.add(Words.encode(group.toString())));
    StringJoiner codes = new StringJoiner(" ");
    for (ValueShape shape : shapes) {
      codes.add(Integer.toString(ShapeCode.of(shape.type(), shape.waveform())));
    }
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put(TRANSFER, Integer.toString(VERSION));
    metadata.put(GROUPS, names.toString());
    metadata.put(CHANNELS, lines.toString());
    metadata.put(SHAPES, codes.toString());
    metadata.put(HELD, held);
    return metadata;
  }

  /**
   * @throws RemoteException if the metadata are of another version, or wrong
   */
  public static AnswerNames of(Map<String, String> metadata) throws RemoteException {
    String version = metadata.getOrDefault(TRANSFER, "none");
    if (!version.equals(Integer.toString(VERSION))) {
      throw new RemoteException(
          "it is another version of kblake: version of the answer="
              + version
              + ", expected "
              + VERSION);
    }
    try {
      List<Channel> channels = new ArrayList<>();
      for (String line : lines(metadata.getOrDefault(CHANNELS, ""), "\n")) {
        String[] words = line.split(" ", -1);
        channels.add(new Channel(Group.parse(Words.decode(words[0])), Words.decode(words[1])));
      }
      List<Group> groups = new ArrayList<>();
      for (String word : lines(metadata.getOrDefault(GROUPS, ""), " ")) {
        groups.add(Group.parse(Words.decode(word)));
      }
      List<ValueShape> shapes = new ArrayList<>();
      for (String code : lines(metadata.getOrDefault(SHAPES, ""), " ")) {
        shapes.add(ShapeCode.shape(Integer.parseInt(code)));
      }
      return new AnswerNames(channels, groups, shapes, metadata.getOrDefault(HELD, ""));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new RemoteException("its answer has wrong names: " + e.getMessage(), e);
    }
  }

  private static String[] lines(String text, String separator) {
    return text.isEmpty() ? new String[0] : text.split(separator, -1);
  }
}
