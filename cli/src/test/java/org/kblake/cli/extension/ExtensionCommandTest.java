package org.kblake.cli.extension;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;

/** The words of extensions while no extension is on the class path. */
final class ExtensionCommandTest {

  @TempDir private Path directory;

  @Test
  void anyLineTellsWhichTarballIsMissingAndWhereToUnpackIt() {
    for (String[] line :
        new String[][] {
          {"lake"}, {"lake", "publish", "tables", "--every", "5s"}, {"-q", "lake", "--unknown"}
        }) {
      KblakeRun run = KblakeRun.in(directory).run(line);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.err())
          .startsWith("kblake lake: not installed: no jars in extensions/lake; unpack kblake-lake-")
          .contains(".tar.gz where kblake is unpacked", "KBLAKE_EXTENSIONS")
          .hasLineCount(1);
    }
    KblakeRun ship = KblakeRun.in(directory).run("ship", "influxdb", "http://host:8086");
    assertThat(ship.err()).contains("no jars in extensions/ship; unpack kblake-ship-");
    for (String word : new String[] {"export", "import"}) {
      KblakeRun run = KblakeRun.in(directory).run(word, "hbase", "--table", "events");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).startsWith("kblake " + word + ": not installed").contains("hbase-");
    }
  }

  @Test
  void theLiveDemoTellsThatItNeedsTheRecorder() {
    KblakeRun run = KblakeRun.in(directory).run("demo", "--live", "--keep=here");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .startsWith(
            "kblake demo: not installed: no jars in extensions/record; unpack kblake-record-")
        .hasLineCount(1);
    assertThat(directory.resolve("here")).doesNotExist();
  }

  @Test
  void helpTellsIt() {
    KblakeRun help = KblakeRun.in(directory).run("help", "lake", "publish");
    assertThat(help.status()).isZero();
    assertThat(help.out()).contains("kblake-lake-VERSION.tar.gz", "KBLAKE_EXTENSIONS");
    assertThat(KblakeRun.in(directory).run("help").out()).contains("  lake  ", "  import  ");
  }
}
