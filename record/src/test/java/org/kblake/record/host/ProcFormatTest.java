package org.kblake.record.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.kblake.record.host.ProcFormat.DISKSTATS;
import static org.kblake.record.host.ProcFormat.LOADAVG;
import static org.kblake.record.host.ProcFormat.MEMINFO;
import static org.kblake.record.host.ProcFormat.NET_DEV;
import static org.kblake.record.host.ProcFormat.STAT;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;

/** Texts of several kernels, and damaged ones. */
final class ProcFormatTest {

  @TempDir Path directory;

  private Map<String, Double> values(String kernel, ProcFormat format) throws IOException {
    return new ProcDirectory(directory).of(kernel).values(format);
  }

  @Test
  void coresHaveTheStatesThatTheirKernelKnows() throws IOException {
    assertThat(values("linux-6", STAT))
        .hasSize(16)
        .contains(
            entry("HOST:CPU0:USER", 2508992.0),
            entry("HOST:CPU0:NICE", 719783.0),
            entry("HOST:CPU0:SYSTEM", 646260.0),
            entry("HOST:CPU0:IDLE", 1010766.0),
            entry("HOST:CPU0:IOWAIT", 12994.0),
            entry("HOST:CPU0:IRQ", 0.0),
            entry("HOST:CPU0:SOFTIRQ", 6130.0),
            entry("HOST:CPU1:STEAL", 1279.0));
    assertThat(values("linux-2.6", STAT))
        .hasSize(14)
        .containsEntry("HOST:CPU1:SOFTIRQ", 18.0)
        .doesNotContainKey("HOST:CPU1:STEAL");
    assertThat(values("linux-2.4", STAT))
        .containsOnly(
            entry("HOST:CPU0:USER", 114389.0),
            entry("HOST:CPU0:NICE", 3007.0),
            entry("HOST:CPU0:SYSTEM", 14330.0),
            entry("HOST:CPU0:IDLE", 1093424.0));
  }

  @Test
  void memoryIsInBytesAndPagesAreCounted() throws IOException {
    assertThat(values("linux-6", MEMINFO))
        .containsOnly(
            entry("HOST:MEM:TOTAL", 24684100 * 1024.0),
            entry("HOST:MEM:FREE", 12538592 * 1024.0),
            entry("HOST:MEM:AVAILABLE", 22778600 * 1024.0),
            entry("HOST:MEM:BUFFERS", 525852 * 1024.0),
            entry("HOST:MEM:SWAP_CACHED", 0.0),
            entry("HOST:MEM:ACTIVE_ANON", 1580 * 1024.0),
            entry("HOST:MEM:SWAP_TOTAL", 0.0),
            entry("HOST:MEM:K_RECLAIMABLE", 1357272 * 1024.0),
            entry("HOST:MEM:NFS_UNSTABLE", 0.0),
            entry("HOST:MEM:COMMITTED_AS", 1346516 * 1024.0),
            entry("HOST:MEM:HUGE_PAGES_TOTAL", 3.0),
            entry("HOST:MEM:HUGEPAGESIZE", 2048 * 1024.0),
            entry("HOST:MEM:DIRECT_MAP4K", 26624 * 1024.0));
    assertThat(values("linux-2.4", MEMINFO)).containsEntry("HOST:MEM:FREE", 7136 * 1024.0);
  }

  @Test
  void interfacesHaveBytesAndPackets() throws IOException {
    assertThat(values("linux-6", NET_DEV))
        .hasSize(8)
        .contains(
            entry("HOST:NET:lo:TX_PACKETS", 26053758.0),
            entry("HOST:NET:eth0:RX_BYTES", 8075262095.0),
            entry("HOST:NET:eth0:RX_PACKETS", 300707.0),
            entry("HOST:NET:eth0:TX_BYTES", 35546856.0),
            entry("HOST:NET:eth0:TX_PACKETS", 251218.0));
    assertThat(values("linux-2.6", NET_DEV))
        .containsEntry("HOST:NET:eth0:RX_BYTES", 1215645751.0)
        .containsEntry("HOST:NET:eth0:TX_BYTES", 4294967295.0);
  }

  @Test
  void disksAreWhole() throws IOException {
    assertThat(values("linux-6", DISKSTATS))
        .contains(
            entry("HOST:DISK:vda:READS", 2494565.0),
            entry("HOST:DISK:vda:READ_BYTES", 53339346 * 512.0),
            entry("HOST:DISK:vda:WRITES", 10914238.0),
            entry("HOST:DISK:vda:WRITE_BYTES", 503488544 * 512.0),
            entry("HOST:DISK:vda:BUSY_MS", 1185664.0));
    assertThat(values("linux-6", DISKSTATS).keySet().stream().map(it -> it.split(":")[2]))
        .containsOnly("vda", "nvme0n1", "nvme0n10", "sda", "sdaa", "dm-1", "dm-10");
    assertThat(values("linux-2.6", DISKSTATS))
        .hasSize(10)
        .containsEntry("HOST:DISK:hda:BUSY_MS", 3376340.0);
  }

  @Test
  void theLoadHasFractions() throws IOException {
    assertThat(values("linux-6", LOADAVG))
        .containsOnly(
            entry("HOST:LOAD:1", 4.2),
            entry("HOST:LOAD:5", 6.09),
            entry("HOST:LOAD:15", 17.6),
            entry("HOST:LOAD:RUNNABLE", 4.0),
            entry("HOST:LOAD:TASKS", 173.0));
  }

  @Test
  void cutAndUnknownLinesAreLeftOut() throws IOException {
    assertThat(values("damaged", STAT)).hasSize(8).containsEntry("HOST:CPU3:STEAL", 8.0);
    assertThat(values("damaged", MEMINFO))
        .containsOnly(entry("HOST:MEM:AVAILABLE", 0x1p64 * 1024), entry("HOST:MEM:ODDLY", 7.0));
    assertThat(values("damaged", NET_DEV)).hasSize(4).containsEntry("HOST:NET:eth2:TX_BYTES", 9.0);
    assertThat(values("damaged", DISKSTATS))
        .hasSize(5)
        .containsEntry("HOST:DISK:sdc:READ_BYTES", 1536.0);
    assertThat(values("damaged", LOADAVG)).isEmpty();
  }

  @Test
  void anyTextIsRead() throws Exception {
    Seeds.each("ProcFormatTest", Seeds.cases(10, 100), this::readRandom);
  }

  private void readRandom(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    ProcDirectory proc = new ProcDirectory(directory).of("linux-6");
    ProcFormat format = ProcFormat.values()[random.nextInt(ProcFormat.values().length)];
    String whole = proc.text(format);
    for (int i = 0; i < 50; i++) {
      StringBuilder text = new StringBuilder(whole);
      for (int change = random.nextInt(8); change >= 0 && !text.isEmpty(); change--) {
        int at = random.nextInt(text.length());
        if (random.nextBoolean()) {
          text.setCharAt(at, " \n:./cpu0987\0é".charAt(random.nextInt(14)));
        } else {
          text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(40)));
        }
      }
      proc.write(format, text + "\n");
      assertThat(proc.values(format).values()).as("%s", text).allMatch(value -> value >= 0);
    }
  }

  @Test
  void aFileMayBeLargerThanTheBuffer() throws IOException {
    ProcDirectory proc = new ProcDirectory(directory);
    StringBuilder text = new StringBuilder();
    for (int core = 0; core < 1024; core++) {
      text.append("cpu").append(core).append(" 1 2 3 4 5 6 7 ").append(core).append('\n');
    }
    proc.write(STAT, text.toString());
    assertThat(proc.values(STAT)).hasSize(8192).containsEntry("HOST:CPU1023:STEAL", 1023.0);
  }
}
