package org.kblake.cli.command.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;

final class SimulateCommandTest {

  @TempDir private Path directory;

  @Test
  void sameSeedGivesTheSameBytesAnotherSeedOthers() throws IOException {
    String[] options = {"--days", "0.01", "--scale", "0.2"};
    assertThat(simulate("one", "7", options).status()).isZero();
    assertThat(simulate("two", "7", options).status()).isZero();
    assertThat(simulate("three", "8", options).status()).isZero();

    assertThat(files("one")).isNotEmpty().isEqualTo(files("two"));
    assertThat(files("one")).isNotEqualTo(files("three"));
  }

  @Test
  void startIsALocalTimeOfTheArchive() {
    KblakeRun run = simulate("archive", "1", "--days", "0.001", "--start", "2020-01-02T03:04:05");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(channels()).contains(" 2020-01-02T03:04:05 ");
  }

  @Test
  void onlyWantedGroupsAreWritten() {
    KblakeRun run = simulate("archive", "1", "--days", "0.001", "-g", "BM/DCCT");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(channels().lines().skip(1)).isNotEmpty().allMatch(line -> line.contains("BM/DCCT"));
  }

  @Test
  void directoryWithFilesIsLeftAlone() throws IOException {
    Path file = Files.createDirectories(directory.resolve("archive")).resolve("precious");
    Files.writeString(file, "data");
    KblakeRun run = simulate("archive", "1", "--days", "0.001");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("archive").contains("not empty").hasLineCount(1);
    assertThat(directory.resolve("archive")).isDirectoryContaining(file::equals);
  }

  @Test
  void growthNeedsAPastAndOneLength() {
    KblakeRun both = simulate("archive", "1", "--live", "--days", "1", "--start", "2016-05-01");
    assertThat(both.status()).isEqualTo(2);
    assertThat(both.err()).contains("--start or --days");
    assertThat(simulate("archive", "1", "--live", "--start", "2017").status()).isEqualTo(2);
    assertThat(simulate("archive", "1", "--live", "--for", "soon").err()).contains("write 90m");
    assertThat(simulate("archive", "1", "--for", "1m").err()).contains("--for needs --live");
    assertThat(directory.resolve("archive")).doesNotExist();
  }

  @Test
  void nonsenseIsWrongUsage() {
    assertThat(simulate("archive", "1", "--preset", "lhc").status()).isEqualTo(2);
    assertThat(simulate("archive", "1", "--scale", "-1").status()).isEqualTo(2);
    assertThat(simulate("archive", "1", "--start", "soon").status()).isEqualTo(2);
    assertThat(simulate("archive", "1", "-g", "NO/SUCH").err()).contains("NO/SUCH");
    assertThat(directory.resolve("archive")).doesNotExist();
  }

  private KblakeRun simulate(String name, String seed, String... options) {
    String[] args =
        Stream.concat(Stream.of("simulate", "-q", "--seed", seed, name), Stream.of(options))
            .toArray(String[]::new);
    return KblakeRun.in(directory).run(args);
  }

  private String channels() {
    return KblakeRun.in(directory).run("channels", "-l", "--archive", "archive").out();
  }

  private Map<String, Long> files(String name) throws IOException {
    Map<String, Long> checksums = new TreeMap<>();
    Path root = directory.resolve(name);
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        CRC32C checksum = new CRC32C();
        checksum.update(Files.readAllBytes(file));
        checksums.put(root.relativize(file).toString(), checksum.getValue());
      }
    }
    return checksums;
  }
}
