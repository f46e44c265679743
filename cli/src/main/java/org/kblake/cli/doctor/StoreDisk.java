package org.kblake.cli.doctor;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LocalDisks;
import org.kblake.format.argument.ByteSize;

/** The rules for the disk of a store: its file system, its free space, and how it writes. */
final class StoreDisk {

  private static final String DISK = "disk";
  private static final String FSYNC = "fsync";
  private static final String WRITE = "write";

  /** With less free space no block can be written. */
  static final long FULL_BELOW_BYTES = 256L << 20;

  private static final long LITTLE_BYTES = 4L << 30;

  /** No medium that keeps bytes without power answers in less time. */
  private static final double IMPLAUSIBLE_MILLIS = 0.05;

  /** An SSD or a controller whose cache keeps its bytes without power answers within this time. */
  private static final double CACHED_MILLIS = 1;

  private static final double SLOW_MILLIS = 100;
  private static final double SLOW_MIB_PER_SECOND = 20;

  private StoreDisk() {}

  /**
   * Examines the file system of a store.
   *
   * @param mount null if it is unknown
   * @param retained whether the store replaces logs
   */
  static Diagnosis disk(@Nullable Mount mount, long freeBytes, long totalBytes, boolean retained) {
    String found =
        (mount == null ? "" : mount + ", ")
            + new ByteSize(freeBytes)
            + " free of "
            + new ByteSize(totalBytes);
    if (mount != null && mount.isReadOnly()) {
      return Diagnosis.warning(
          DISK,
          found + ", read-only: columns can be read, not written",
          "mount it read-write for kblake backfill and kblake run");
    }
    if (freeBytes < FULL_BELOW_BYTES) {
      return Diagnosis.problem(
          DISK,
          found + ": no block can be written",
          "free " + new ByteSize(FULL_BELOW_BYTES) + " or more, or set budget for kblake run");
    }
    if (mount == null) {
      return Diagnosis.ok(DISK, found);
    }
    if (mount.isInMemory()) {
      String lost = found + ", memory: the columns are lost at the next start of the machine";
      String advice = "name a store on a disk";
      return retained
          ? Diagnosis.problem(DISK, lost + ", and retain = \"yes\" is set", advice)
          : Diagnosis.warning(DISK, lost, advice);
    }
    if (mount.type().startsWith("overlay")) {
      return Diagnosis.warning(
          DISK, found + ": a container's layer is lost with the container", "mount a volume");
    }
    if (!LocalDisks.isLocalType(mount.type())) {
      return Diagnosis.warning(
          DISK,
          found + ", network: locks and renames may fail, reads are slower",
          "name a store on a local disk");
    }
    if (mount.has("nobarrier") || mount.has("barrier=0")) {
      return Diagnosis.warning(
          DISK,
          found + ", without barriers: a power cut may damage it",
          "mount it without nobarrier and barrier=0");
    }
    return freeBytes < LITTLE_BYTES
        ? Diagnosis.warning(
            DISK, found + ", local", "set budget for kblake run, so that the disk does not fill up")
        : Diagnosis.ok(DISK, found + ", local");
  }

  /**
   * Judges the time of an fsync.
   *
   * @param nanos the median of some fsyncs of a few kilobytes
   * @param network whether the disk is on a server
   */
  static Diagnosis fsync(long nanos, boolean network) {
    double millis = nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
    String found =
        String.format(Locale.ROOT, millis < 1 ? "%.3f ms" : "%.1f ms", millis)
            + " for 4 KiB (median)";
    if (millis < IMPLAUSIBLE_MILLIS) {
      return Diagnosis.warning(
          FSYNC,
          found + ": probably does not reach the medium",
          "a power cut may then lose columns, verify them with kblake verify after one. Check the"
              + " cache of the disk, of the controller, or of the virtual machine");
    }
    if (millis > SLOW_MILLIS) {
      return Diagnosis.warning(
          FSYNC, found + ": slow, each block needs some of them", "use another disk");
    }
    if (network) {
      return Diagnosis.ok(FSYNC, found + "; the server decides what reaches its medium");
    }
    return Diagnosis.ok(
        FSYNC,
        found
            + (millis < CACHED_MILLIS
                ? ": plausible for an SSD, or a cache that keeps bytes without power"
                : ": plausible for a disk or an SSD"));
  }

  /** Judges the speed of a written file, with its fsync. */
  static Diagnosis write(long bytes, long nanos) {
    double speed = bytes / (double) (1 << 20) / (nanos / (double) TimeUnit.SECONDS.toNanos(1));
    String found =
        String.format(Locale.ROOT, "%.0f MiB/s (%s and an fsync)", speed, new ByteSize(bytes));
    return speed < SLOW_MIB_PER_SECOND
        ? Diagnosis.warning(WRITE, found + ": slow", "kblake backfill waits for this disk")
        : Diagnosis.ok(WRITE, found);
  }

  /** The writing was not measured. */
  static Diagnosis notMeasured(String reason) {
    return Diagnosis.unknown(WRITE, "not measured: " + reason);
  }
}
