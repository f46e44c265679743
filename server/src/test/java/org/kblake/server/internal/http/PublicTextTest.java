package org.kblake.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Messages as clients see them. */
final class PublicTextTest {

  private static void becomes(String message, String expected) {
    assertThat(PublicText.of(message)).isEqualTo(expected);
  }

  @Test
  void directoriesAreLeftOut() {
    becomes(
        "pair is unavailable: group=VA/CCG, period=20160516000000-, file=/data/kekblog/VA/CCG_20160516000000.log2, missing; restore it, or mount its volume",
        "pair is unavailable: group=VA/CCG, period=20160516000000-, file=CCG_20160516000000.log2, missing; restore it, or mount its volume");
    becomes(
        "link has no target: target=/mnt/vol3/VA; mount its volume or repair the link",
        "link has no target: target=VA; mount its volume or repair the link");
    becomes(
        "read error: java.nio.file.FileSystemException: /data/VA/a.log2: Input/output error; check its volume",
        "read error: java.nio.file.FileSystemException: a.log2: Input/output error; check its volume");
    becomes("cannot read '/data/store'", "cannot read 'store'");
    becomes("file=/data/store/VA/CCG/1-2.1/", "file=");
  }

  @Test
  void groupsAndAddressesStay() {
    for (String text :
        new String[] {
          "unavailable: group=VA/CCG, from=2016-05-15T15:00:00Z",
          "channels of VA/CCG and RF/AnalogData",
          "ask http://127.0.0.1:17668/api/v1/channels",
          "at most 5 MB/s"
        }) {
      becomes(text, text);
    }
  }
}
