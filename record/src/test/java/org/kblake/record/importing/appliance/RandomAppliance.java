package org.kblake.record.importing.appliance;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.kblake.record.group.LoggedEvents;

/**
 * Random files of an appliance, and the events that a log of them must have: of all types, with
 * lost connections, changes of type, damage, and files that overlap.
 */
final class RandomAppliance {

  private static final long SECOND = 1_000_000_000L;
  private static final long BEGIN = 1_420_070_400L * SECOND;

  private final Random random;
  private final Path directory;
  private final List<Expected> expected = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private int damaged;
  private int doubles;
  private int refused;
  private int cut;

  /** An event that a log must have. */
  record Expected(String name, long nanos, String line) {}

  RandomAppliance(Random random, Path directory) {
    this.random = random;
    this.directory = directory;
  }

  List<String> names() {
    return names;
  }

  int damaged() {
    return damaged;
  }

  int doubles() {
    return doubles;
  }

  int refused() {
    return refused;
  }

  int cut() {
    return cut;
  }

  /** Returns the lines of a channel in a range, in the order of time. */
  List<String> lines(String name, long from, long to) {
    return expected.stream()
        .filter(each -> each.name().equals(name) && each.nanos() >= from && each.nanos() < to)
        .sorted(Comparator.comparingLong(Expected::nanos))
        .map(Expected::line)
        .toList();
  }

  /** Returns the times of all events. */
  List<Long> times() {
    return expected.stream().map(Expected::nanos).sorted().toList();
  }

  void write() throws IOException {
    int channels = 1 + random.nextInt(6);
    for (int i = 0; i < channels; i++) {
      channel("T" + i + ":VALUE{" + random.nextInt(9) + "}");
    }
  }

  private void channel(String name) throws IOException {
    names.add(name);
    int type = random.nextInt(14);
    long nanos = BEGIN + random.nextInt(1000) * SECOND + random.nextInt(1_000_000_000);
    int files = 1 + random.nextInt(4);
    for (int i = 0; i < files; i++) {
      if (random.nextInt(4) == 0) {
        type = random.nextInt(14);
      }
      nanos = file(name, type, i, nanos);
    }
  }

  /** Writes a file, and returns a time after it. */
  private long file(String name, int type, int number, long begin) throws IOException {
    int elements = type < 7 ? 1 : 1 + random.nextInt(5);
    int year = PbFileBytes.year(begin);
    PbFileBytes file = new PbFileBytes(name, type, year, elements);
    long nanos = begin;
    long before = begin;
    int samples = 1 + random.nextInt(60);
    boolean isWide = false;
    for (int i = 0; i < samples && PbFileBytes.year(nanos) == year; i++) {
      if (random.nextInt(30) == 0) {
        damage(file);
      }
      isWide = sample(file, name, type, elements, nanos, before, isWide);
      before = nanos;
      nanos += step();
    }
    write(name, number, year, file.get());
    return nanos;
  }

  private void write(String name, int number, int year, byte[] bytes) throws IOException {
    Path folder = Files.createDirectories(directory.resolve("lts").resolve(name.substring(0, 2)));
    Path file = folder.resolve("VALUE:%d_%02d.pb".formatted(year, number));
    if (random.nextInt(8) == 0) {
      // A sample whose end the appliance has not written yet.
      cut++;
      bytes = Arrays.copyOf(bytes, bytes.length + 3);
      bytes[bytes.length - 3] = 8;
    }
    Files.write(file, bytes);
    if (random.nextInt(8) == 0) {
      Path other = Files.createDirectories(directory.resolve("mts"));
      String copy = name.substring(0, 2) + file.getFileName();
      Files.write(other.resolve(copy), bytes);
      doubles++;
    }
  }

  private long step() {
    return switch (random.nextInt(12)) {
      case 0 -> 1;
      case 1 -> 3600 * SECOND + random.nextInt();
      case 2 -> 86_400 * SECOND * (1 + random.nextInt(20));
      default -> 1 + random.nextInt(1_000_000_000);
    };
  }

  private void damage(PbFileBytes file) {
    damaged++;
    switch (random.nextInt(3)) {
      case 0 -> file.line(new byte[] {8, 1});
      case 1 -> file.line(new byte[] {8, (byte) 0x80});
      default -> file.line(new byte[] {0, 0, 0, 0, 0});
    }
  }

  private boolean sample(
      PbFileBytes file, String name, int type, int most, long nanos, long before, boolean isWide) {
    int count = type < 7 ? 1 : random.nextInt(5) == 0 ? random.nextInt(12) : most;
    Object[] elements = new Object[count];
    boolean isWider = isWide;
    boolean isOutside = false;
    for (int i = 0; i < count; i++) {
      elements[i] = element(type % 7);
      if (type % 7 == 1) {
        isWider |= (short) (long) (Long) elements[i] != (Long) elements[i];
      } else if (type % 7 == 3) {
        isOutside |= (Long) elements[i] > 0xFFFF;
      }
    }
    int severity = random.nextInt(5) == 0 ? random.nextInt(6) : 0;
    int status = random.nextInt(5) == 0 ? random.nextInt(70_000) : 0;
    long lost = -1;
    long regained = -1;
    long second = nanos / SECOND;
    if (random.nextInt(20) == 0 && second > before / SECOND + 4) {
      regained = second - random.nextInt(2);
      lost = random.nextInt(4) == 0 ? 0 : before / SECOND + random.nextInt(2);
      connections(name, nanos, before, lost, regained);
    }
    file.sample(nanos, elements, severity, status, lost, regained);
    if (isOutside) {
      refused++;
      return isWider;
    }
    int loggedSeverity = Math.min(3, severity);
    int loggedStatus = status > 0xFFFF ? 17 : status;
    String value = hex(type % 7, elements, isWider);
    add(name, nanos, count == 0 ? 1 : 2, loggedSeverity, loggedStatus, value);
    return isWider;
  }

  private void connections(String name, long nanos, long before, long lost, long regained) {
    long down = Long.MIN_VALUE;
    if (lost > 0) {
      long end = lost * SECOND + SECOND - 1;
      down = Math.max(before, end / SECOND == nanos / SECOND ? Math.min(end, nanos) : end);
      add(name, down, 0, 3, 9, "");
    }
    add(name, Math.max(regained * SECOND, Math.max(before, down)), 1, 0, 0, "");
  }

  private void add(String name, long nanos, int state, int severity, int status, String hex) {
    expected.add(
        new Expected(name, nanos, LoggedEvents.line(name, nanos, state, severity, status, hex)));
  }

  private Object element(int scalar) {
    return switch (scalar) {
      case 0 -> text();
      case 1 -> (long) (random.nextInt(40) == 0 ? random.nextInt() : (short) random.nextInt());
      case 3 -> (long) (random.nextInt(40) == 0 ? 70_000 : random.nextInt(1 << 16));
      case 4 -> (long) random.nextInt(256);
      case 2, 5 -> (long) random.nextInt();
      default ->
          random.nextInt(10) == 0
              ? 0x7FF8_0000_0A0D_1B01L
              : Double.doubleToRawLongBits(random.nextGaussian());
    };
  }

  private String text() {
    String[] words = {
      "", "a", "\n", "\u001b\u0002", "ü", "日本", "0123456789012345678901234567890123456789x"
    };
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(words[random.nextInt(words.length)]);
    }
    return text.toString();
  }

  private static String hex(int scalar, Object[] elements, boolean isWide) {
    ByteBuffer bytes = ByteBuffer.allocate(elements.length * 40);
    for (Object each : elements) {
      switch (scalar) {
        case 0 -> text(bytes, (String) each);
        case 1, 3 -> {
          if (isWide) {
            bytes.putInt(((Long) each).intValue());
          } else {
            bytes.putShort(((Long) each).shortValue());
          }
        }
        case 4 -> bytes.put(((Long) each).byteValue());
        case 2, 5 -> bytes.putInt(((Long) each).intValue());
        default -> bytes.putLong((Long) each);
      }
    }
    return HexFormat.of().formatHex(bytes.array(), 0, bytes.position());
  }

  /** Puts the longest begin of whole characters in 39 bytes, and zeros. */
  private static void text(ByteBuffer target, String text) {
    int end = text.length();
    while (text.substring(0, end).getBytes(StandardCharsets.UTF_8).length > 39) {
      end--;
    }
    byte[] kept = text.substring(0, end).getBytes(StandardCharsets.UTF_8);
    target.put(kept).put(new byte[40 - kept.length]);
  }
}
