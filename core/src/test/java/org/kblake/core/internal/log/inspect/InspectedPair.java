package org.kblake.core.internal.log.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.model.ValueType;

/** Records the output of an inspection of a pair. */
public final class InspectedPair implements InspectionListener {

  private final List<ShownBytes> index = new ArrayList<>();
  private final List<ShownBytes> log = new ArrayList<>();
  private final List<String> structures = new ArrayList<>();
  private final List<String> damage = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private boolean inLog;

  private InspectedPair() {}

  /** Inspects the whole pair. */
  public static InspectedPair of(Path file) throws IOException {
    int all = Integer.MAX_VALUE;
    return of(file, new InspectionLimits(all, all, all, null));
  }

  static InspectedPair of(Path file, InspectionLimits limits) throws IOException {
    InspectedPair pair = new InspectedPair();
    Inspection.run(file, limits, ArchiveSettings.defaults(), pair);
    return pair;
  }

  public List<String> damage() {
    return damage;
  }

  List<String> notes() {
    return notes;
  }

  public List<String> structures(String begin) {
    return structures.stream().filter(title -> title.startsWith(begin)).toList();
  }

  /** Asserts that the shown bytes adjoin, from the first byte of the files to the last. */
  public void assertComplete(Path indexFile, Path logFile) throws IOException {
    assertComplete(index, Files.readAllBytes(indexFile));
    assertComplete(log, Files.readAllBytes(logFile));
  }

  private static void assertComplete(List<ShownBytes> shown, byte[] file) {
    int end = 0;
    for (ShownBytes bytes : shown) {
      assertThat(bytes.offset()).isEqualTo(end);
      byte[] digits = HexFormat.of().parseHex(bytes.hex());
      assertThat(digits).hasSize((int) Math.min(ShownBytes.MOST, bytes.count()));
      assertThat(Arrays.copyOfRange(file, end, end + digits.length)).isEqualTo(digits);
      end += (int) bytes.count();
    }
    assertThat(end).isEqualTo(file.length);
  }

  @Override
  public void heading(String title) {
    inLog |= title.equals("log");
  }

  @Override
  public void structure(String title) {
    structures.add(title);
  }

  @Override
  public void fact(String name, String text) {
    assertThat(name).isNotEmpty();
  }

  @Override
  public void time(String name, long nanos) {
    assertThat(nanos).isNotIn(LogLayout.IMPOSSIBLE_NANOS, LogLayout.NEVER_NANOS);
  }

  @Override
  public void field(ShownBytes bytes, String name, String text) {
    (inLog ? log : index).add(bytes);
  }

  @Override
  public void value(ShownBytes bytes, ValueType type, long count, List<?> first) {
    assertThat(count * type.bytes()).isEqualTo(bytes.count());
    assertThat(first).isNotEmpty();
    log.add(bytes);
  }

  @Override
  public void counted(String what, long shown, long all) {
    assertThat(shown).isBetween(0L, all);
  }

  @Override
  public void note(String line) {
    notes.add(line);
  }

  @Override
  public void damage(String line) {
    damage.add(line);
  }
}
