package org.kblake.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.cli.check.Severity;
import org.kblake.core.archive.TailRule;

final class ArchiveMountTest {

  private static Diagnosis of(String typeAndOptions, TailRule tail) {
    return ArchiveMount.of(
        MountTable.parse(List.of("server:/logs /kekblog " + typeAndOptions + " 0 0"))
            .of(Path.of("/kekblog")),
        tail);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nfs4 rw,soft,timeo=20 | soft with timeo=20 fails in short stalls: mount with timeo=600",
        "nfs ro,noac | noac asks the server at each look at a file: mount with actimeo=1",
        "nfs ro,acregmin=0,acregmax=0 | noac asks the server",
        "cifs rw,cache=loose | mount with cache=strict",
        "fuse.sshfs rw,user_id=0 | mount with allow_other for other users",
        "autofs rw | it is not mounted now",
      })
  void optionsThatHurtAreWarnings(String mount, String advice) {
    Diagnosis diagnosis = of(mount, TailRule.AUTO);
    assertThat(diagnosis.severity()).isEqualTo(Severity.WARNING);
    assertThat(diagnosis.advice()).contains(advice);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ext4 rw | ext4 server:/logs at /kekblog, local |",
        "xfs ro | read-only, local |",
        "nfs4 ro,hard,timeo=600,acregmax=3 | hard: reads wait while the server is away, timeo 60 s |",
        "nfs4 ro,soft,timeo=100,acregmax=3 | soft: reads fail if the server is away, timeo 10 s |",
        "nfs4 ro,hard | kblake polls it | New events may show up to 60 s late, actimeo=1",
        "nfs4 rw,hard,acregmax=3 | kblake polls it | kblake only reads: ro is enough",
        "cifs ro,actimeo=30 | kblake polls it | New events may show up to 30 s late",
        "fuse.sshfs ro,allow_other | kblake polls it |",
        "lustre ro | kblake polls it |",
      })
  void usualOptionsAreFine(String mount, String found, @Nullable String advice) {
    Diagnosis diagnosis = of(mount, TailRule.AUTO);
    assertThat(diagnosis.severity()).isEqualTo(Severity.OK);
    assertThat(diagnosis.found()).contains(found);
    if (advice == null) {
      assertThat(diagnosis.advice()).isNull();
    } else {
      assertThat(diagnosis.advice()).contains(advice);
    }
  }

  @Test
  void finalTailsNeedALocalDisk() {
    assertThat(of("nfs4 ro,acregmax=3", TailRule.FINAL).severity()).isEqualTo(Severity.WARNING);
    assertThat(of("nfs4 ro,acregmax=3", TailRule.FINAL).advice()).contains("tail = \"auto\"");
    assertThat(of("ext4 ro", TailRule.FINAL).severity()).isEqualTo(Severity.OK);
  }

  @Test
  void fileSystemMayBeUnknown() {
    assertThat(ArchiveMount.of(null, TailRule.AUTO).severity()).isEqualTo(Severity.UNKNOWN);
  }
}
