package org.kblake.core.internal.log.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.Group;

class ArchiveTest {

  private static final Group CCG = Group.parse("VA/CCG");

  @TempDir Path root;

  @Test
  void aRootThatIsMissingIsUnavailable() {
    Path missing = root.resolve("none");
    assertThatThrownBy(() -> Archive.open(missing, ArchiveSettings.defaults()))
        .isInstanceOf(UnavailableException.class)
        .hasMessage(
            "archive is unavailable: root="
                + missing
                + ", file="
                + missing
                + ", missing; restore it, or mount its volume");
  }

  @Test
  void aRootThatIsAFileIsUnavailable() throws IOException {
    Path file = Files.createFile(root.resolve("file"));
    assertThatThrownBy(() -> Archive.open(file, ArchiveSettings.defaults()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("not a directory");
  }

  @Test
  void aRootMayBeALink() throws IOException {
    Files.createDirectories(root.resolve("volume/VA"));
    touch("volume/VA/CCG_20160516000000.log1");
    Path link = Files.createSymbolicLink(root.resolve("link"), root.resolve("volume"));
    assertThat(Archive.open(link, ArchiveSettings.defaults()).groups()).containsExactly(CCG);
  }

  @Test
  void groupsAreThoseOfTheListThenThoseOfPairs() throws IOException {
    list("VA CCG", "", "RF AnalogData", "VA CCG");
    touch("BM/DCCT_20160516000000.log1");
    touch("BM/BPM_20160516000000.log2");
    touch("VA/CCG_20160516000000.log1");
    touch("VA/notes.txt");
    assertThat(open().groups().stream().map(Group::toString))
        .containsExactly("VA/CCG", "RF/AnalogData", "BM/BPM", "BM/DCCT");
  }

  @Test
  void invalidLinesAreReported() throws IOException {
    list("VA CCG", "VA", "a/b c", ".. x", "RF Analog Data");
    List<String> problems = new ArrayList<>();
    assertThat(open().groups(problems::add)).containsExactly(CCG);
    assertThat(problems).hasSize(4);
    assertThat(problems.get(0))
        .isEqualTo(
            "group list has an invalid line: file="
                + root.resolve("SYS/KEKBLog.list")
                + ", line=2, found VA, expected SYSTEM GROUP");
  }

  @Test
  void aSystemOnAnOfflineVolumeIsReported() throws IOException {
    list("VA CCG");
    Files.createSymbolicLink(root.resolve("BM"), root.resolve("offline"));
    List<String> problems = new ArrayList<>();
    assertThat(open().groups(problems::add)).containsExactly(CCG);
    assertThat(problems)
        .containsExactly(
            "directory cannot be read: system=BM, file="
                + root.resolve("BM")
                + ", link has no target: target="
                + root.resolve("offline")
                + "; mount its volume or repair the link");
    assertThatThrownBy(() -> open().pairs(Group.parse("BM/DCCT")))
        .isInstanceOf(UnavailableException.class);
  }

  @Test
  void aListedGroupMayHaveNoPairs() throws IOException {
    list("VA CCG");
    assertThat(open().pairs(CCG)).isEmpty();
  }

  /** The name of a group may end like the name of another group's file. */
  @Test
  void pairsAreInTheOrderOfTheirStamps() throws IOException {
    touch("VA/CCG_20160516002717.log1");
    touch("VA/CCG_20160516002717.log2");
    touch("VA/CCG_20160516000000.log2");
    touch("VA/CCG_20151231235959.log1");
    touch("VA/CCG_20160599000000.log1");
    touch("VA/CCG_2_20160101000000.log1");
    touch("VA/CCG_20160516000000.log3");
    List<Pair> pairs = open().pairs(CCG);
    assertThat(pairs.stream().map(Pair::stamp))
        .containsExactly("20151231235959", "20160516000000", "20160516002717");
    assertThat(pairs.get(0).nextStamp()).isEqualTo("20160516000000");
    assertThat(pairs.get(0).endNanos()).isEqualTo(pairs.get(1).beginNanos());
    assertThat(pairs.get(1).beginNanos()).isEqualTo(1_463_324_400_000_000_000L);
    assertThat(pairs.get(2).nextStamp()).isNull();
    assertThat(pairs.get(2).endNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(open().pairs(Group.parse("VA/CCG_2"))).hasSize(1);
  }

  @Test
  void aPairWithoutItsLogIsUnavailable() throws IOException {
    touch("VA/CCG_20160516000000.log1");
    touch("VA/CCG_20160517000000.log1");
    Pair pair = open().pairs(CCG).get(0);
    assertThatThrownBy(pair::open)
        .isInstanceOf(UnavailableException.class)
        .hasMessage(
            "pair is unavailable: group=VA/CCG, period=20160516000000-20160517000000, file="
                + pair.logPath()
                + ", missing; restore it, or mount its volume");
  }

  @Test
  void aPairWhoseVolumeIsOfflineIsUnavailable() throws IOException {
    touch("VA/CCG_20160516000000.log1");
    Path link = root.resolve("VA/CCG_20160516000000.log2");
    Files.createSymbolicLink(link, Path.of("/offline/CCG"));
    assertThatThrownBy(() -> open().pairs(CCG).get(0).open())
        .isInstanceOf(UnavailableException.class)
        .hasMessage(
            "pair is unavailable: group=VA/CCG, period=20160516000000-, file="
                + link
                + ", link has no target: target=/offline/CCG; mount its volume or repair the link");
  }

  @Test
  void aFileThatIsADirectoryIsUnavailable() throws IOException {
    touch("VA/CCG_20160516000000.log1");
    Files.createDirectory(root.resolve("VA/CCG_20160516000000.log2"));
    assertThatThrownBy(() -> open().pairs(CCG).get(0).open())
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("a directory where a file is expected");
  }

  private Archive open() throws IOException {
    return Archive.open(root, ArchiveSettings.defaults());
  }

  private void list(String... lines) throws IOException {
    Files.createDirectories(root.resolve("SYS"));
    Files.write(root.resolve("SYS/KEKBLog.list"), List.of(lines));
  }

  private void touch(String name) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.createFile(file);
  }
}
