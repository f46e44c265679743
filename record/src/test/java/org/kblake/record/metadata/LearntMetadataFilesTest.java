package org.kblake.record.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.metadata.MetadataFolder;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.record.fixture.Wire;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/** Files of what servers say. Each test ends them, which writes what is left. */
final class LearntMetadataFilesTest {

  private static final Group GROUP = Group.parse("BM/DCCT");
  private static final String NONE = "";

  @TempDir Path root;
  private final AtomicBoolean isWritten = new AtomicBoolean(true);
  private final BlockingQueue<String> notices = new ArrayBlockingQueue<>(10);

  @BeforeEach
  void archive() throws IOException {
    Files.createDirectory(root.resolve("SYS"));
  }

  private LearntMetadataFiles files() {
    return new LearntMetadataFiles(
        root, ZoneOffset.UTC, group -> isWritten.get(), (group, line) -> notices.add(line));
  }

  private static ChannelEvent control(ValueType type, byte[] bytes) {
    return new ChannelEvent()
        .begin(0, EventKind.METADATA, 0)
        .typed(type, 1)
        .with(ByteBuffer.wrap(bytes), 0, bytes.length);
  }

  private static ChannelEvent description(String text) {
    byte[] bytes = Wire.text(text);
    return new ChannelEvent()
        .begin(0, EventKind.DESCRIPTION, 0)
        .typed(ValueType.STRING, 1)
        .with(ByteBuffer.wrap(bytes), 0, bytes.length);
  }

  private Path file() {
    return root.resolve("SYS/channels/BM/DCCT/channels.csv");
  }

  private ChannelMetadata read(String name) {
    return MetadataFolder.recorded(root, ZoneOffset.UTC).of(GROUP).of(name);
  }

  /** Takes what a server says, and returns what is then known. */
  private ChannelMetadata learnt(ChannelEvent... events) {
    try (LearntMetadataFiles files = files()) {
      for (ChannelEvent each : events) {
        files.take(GROUP, "A", each);
      }
    }
    assertThat(notices).isEmpty();
    return read("A");
  }

  private static ByteBuffer longs(int... limits) {
    ByteBuffer bytes = ByteBuffer.allocate(48);
    bytes.position(4).put("counts".getBytes(StandardCharsets.US_ASCII));
    bytes.position(12);
    for (int each : limits) {
      bytes.putInt(each);
    }
    return bytes;
  }

  @Test
  void aFileHasWhatServersSay() throws IOException {
    ChannelMetadata current =
        learnt(
            description("beam current, \"LER\" |ring"),
            control(
                ValueType.DOUBLE,
                Wire.control("mA", 3, 1500, 0, 1450, 1400, -1, Double.NaN, 2000, 0)));
    assertThat(current.toString())
        .contains("unit=mA", "precision=OptionalInt[3]")
        .contains("low=OptionalDouble[0.0]", "high=OptionalDouble[1500.0]")
        .contains("lolo=OptionalDouble.empty", "lo=OptionalDouble[-1.0]")
        .contains("hi=OptionalDouble[1400.0]", "hihi=OptionalDouble[1450.0]")
        .contains("description=beam current, \"LER\" |ring");
    ByteBuffer labels = ByteBuffer.allocate(424).putInt(0).putShort((short) 3);
    labels.put(Wire.text("off")).position(32).put(Wire.text("on|off"));
    try (LearntMetadataFiles files = files()) {
      files.take(GROUP, "E", control(ValueType.ENUM, labels.array()));
    }
    assertThat(read("E").labels()).containsExactly("off", "on/off");
    assertThat(read("A")).as("other channels stay").isEqualTo(current);
    try (var all = Files.list(file().getParent())) {
      assertThat(all).containsExactly(file());
    }
  }

  /** Records for which nobody chose anything have zeros, and integers have no NaN. */
  @Test
  void whatNobodyChoseIsUnknown() {
    assertThat(learnt(control(ValueType.DOUBLE, Wire.control("", 0)), description("")))
        .isEqualTo(ChannelMetadata.unknown(read("A").channel()));
    assertThat(
            learnt(control(ValueType.DOUBLE, Wire.control("", 99, Double.NaN, 1, 5, 4, 0, -1)))
                .toString())
        .contains("precision=OptionalInt.empty", "low=OptionalDouble.empty")
        .contains("lo=OptionalDouble[0.0]", "lolo=OptionalDouble[-1.0]");
    assertThat(learnt(control(ValueType.LONG, longs(100, 0, 90, 0, 0, 0, 0, 0).array())).toString())
        .contains("unit=counts", "low=OptionalDouble[0.0]", "high=OptionalDouble[100.0]")
        .contains("hi=OptionalDouble.empty", "hihi=OptionalDouble[90.0]");
    ByteBuffer floats = ByteBuffer.allocate(52).putInt(0).putShort((short) 1);
    floats.position(16).putFloat(0.1f).putFloat(-0.1f);
    assertThat(learnt(control(ValueType.FLOAT, floats.array())).high()).hasValue(0.1);
  }

  @Test
  void aReconnectionRefreshesAndTheSameIsNotWrittenAgain() throws IOException {
    learnt(control(ValueType.DOUBLE, Wire.control("mA", 3)), description("before"));
    FileTime early = FileTime.from(Instant.EPOCH);
    Files.setLastModifiedTime(file(), early);
    learnt(description("before"), control(ValueType.DOUBLE, Wire.control("mA", 3)));
    assertThat(Files.getLastModifiedTime(file())).isEqualTo(early);
    ChannelMetadata other = learnt(control(ValueType.DOUBLE, Wire.control("A", 0)));
    assertThat(other.unit()).isEqualTo("A");
    assertThat(other.precision()).as("what the server does not say any more").isEmpty();
    assertThat(other.description()).isEqualTo("before");
    assertThat(learnt(description(NONE)).description()).isNull();
  }

  /** A standby, and a recorder whose group another one records, must not write. */
  @Test
  void onlyARecordedGroupIsWritten() throws Exception {
    isWritten.set(false);
    learnt(description("x"));
    assertThat(file()).doesNotExist();
    try (LearntMetadataFiles files = files()) {
      files.start(Duration.ofMillis(1));
      files.take(GROUP, "A", control(ValueType.DOUBLE, Wire.control("mA", 3)));
      files.take(GROUP, "A", description("early"));
      isWritten.set(true);
      awaitFile();
      assertThat(read("A").unit()).isEqualTo("mA");
    }
  }

  private void awaitFile() throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!Files.exists(file()) && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  /** Without SYS the volume is not mounted: nothing is created on the disk below. */
  @Test
  void aVolumeThatIsAwayIsToldOnceAndWritten() throws Exception {
    Files.delete(root.resolve("SYS"));
    try (LearntMetadataFiles files = files()) {
      files.start(Duration.ofMillis(1));
      files.take(GROUP, "A", description("late"));
      assertThat(notices.poll(60, TimeUnit.SECONDS))
          .startsWith("metadata of channels cannot be written: ")
          .contains("no such directory");
      files.take(GROUP, "A", control(ValueType.DOUBLE, Wire.control("mA", 3)));
      assertThat(root).isEmptyDirectory();
      Files.createDirectory(root.resolve("SYS"));
      awaitFile();
    }
    assertThat(List.of(String.valueOf(read("A").unit()), String.valueOf(read("A").description())))
        .containsExactly("mA", "late");
    assertThat(notices).isEmpty();
  }
}
