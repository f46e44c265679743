package org.kblake.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.Severity;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.file.LocalDisks;

/** The rules for a file system that has logs. kblake only reads it. */
final class ArchiveMount {

  private static final String SUBJECT = "mount";

  /** The default of NFS, in seconds. */
  private static final long USUAL_ATTRIBUTE_AGE = 60;

  /** Readers see a change of a file later than this by the client's cache of attributes. */
  private static final long LONG_ATTRIBUTE_AGE = 5;

  /** A soft mount with a shorter time limit, in tenths of a second, fails in short stalls. */
  private static final long SHORT_TIMEOUT = 50;

  private static final long TENTHS = 10;

  private final Mount mount;
  private final TailRule tail;
  private final List<String> advice = new ArrayList<>();
  private boolean warns;

  private ArchiveMount(Mount mount, TailRule tail) {
    this.mount = mount;
    this.tail = tail;
  }

  /**
   * Examines a file system of the archive.
   *
   * @param mount null if it is unknown
   * @param tail the setting {@code tail}
   */
  static Diagnosis of(@Nullable Mount mount, TailRule tail) {
    return mount == null
        ? Diagnosis.unknown(SUBJECT, "file system of the archive is not known")
        : new ArchiveMount(mount, tail).diagnosis();
  }

  private Diagnosis diagnosis() {
    String found = mount + (mount.isReadOnly() ? ", read-only" : "");
    if (LocalDisks.isLocalType(mount.type())) {
      return Diagnosis.ok(SUBJECT, found + ", local");
    }
    found += ", network: kblake polls it";
    if (tail == TailRule.FINAL) {
      warn("tail = \"final\" is wrong here, ends of logs may read as zeros: write tail = \"auto\"");
    }
    if (mount.isNfs()) {
      found += nfs();
    } else if (mount.isCifs()) {
      found += cifs();
    } else if (mount.isFuse()) {
      fuse();
    } else if (mount.type().equals("autofs")) {
      warn("it is not mounted now: check its server");
    }
    if (!mount.isReadOnly()) {
      advice.add("kblake only reads: ro is enough");
    }
    return new Diagnosis(
        SUBJECT,
        warns ? Severity.WARNING : Severity.OK,
        found,
        advice.isEmpty() ? null : String.join(". ", advice));
  }

  private void warn(String text) {
    warns = true;
    advice.add(0, text);
  }

  private String nfs() {
    long timeout = mount.number("timeo", 600);
    boolean soft = mount.has("soft") || mount.has("softerr");
    if (soft && timeout < SHORT_TIMEOUT) {
      warn("soft with timeo=" + timeout + " fails in short stalls: mount with timeo=600");
    }
    long age = mount.number("acregmax", USUAL_ATTRIBUTE_AGE);
    if (mount.has("noac") || age == 0) {
      warn("noac asks the server at each look at a file: mount with actimeo=1");
    } else if (age > LONG_ATTRIBUTE_AGE) {
      advice.add(
          "New events may show up to " + age + " s late, actimeo=1 shortens this (acregmax)");
    }
    return (soft
            ? "; soft: reads fail if the server is away"
            : "; hard: reads wait while the server is away")
        + ", timeo "
        + timeout / TENTHS
        + " s";
  }

  private String cifs() {
    if (mount.has("cache=loose")) {
      warn("cache=loose shows old bytes of growing logs: mount with cache=strict");
    }
    long age = mount.number("actimeo", 1);
    if (age > LONG_ATTRIBUTE_AGE) {
      advice.add("New events may show up to " + age + " s late, actimeo=1 shortens this");
    }
    return mount.has("hard") ? "; hard: reads wait while the server is away" : "";
  }

  private void fuse() {
    if (!mount.has("allow_other")) {
      warn("only the user who mounted it can read it: mount with allow_other for other users");
    }
  }
}
