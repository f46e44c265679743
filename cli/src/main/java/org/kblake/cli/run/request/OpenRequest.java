package org.kblake.cli.run.request;

import java.nio.file.attribute.FileTime;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.handover.HandoverAnswer;
import org.kblake.cli.handover.HandoverRequest;

/** A request that is there, and the kind so far. Confined to one thread, but the work. */
final class OpenRequest {

  /**
   * The command that waits touches its request every quarter of a second, unless it is suspended.
   */
  private static final int MOST_LOOKS = 20;

  final String name;

  /** Null if the file is none. */
  final @Nullable HandoverRequest request;

  final RequestWork work = new RequestWork();
  @Nullable Future<?> underWay;
  @Nullable HandoverAnswer said;
  private @Nullable FileTime touched;
  private int looks;

  OpenRequest(String name, @Nullable HandoverRequest request) {
    this.name = name;
    this.request = request;
  }

  /** Whether nothing is to be done for it any more. */
  boolean ended() {
    return work.answer().state().isEnd();
  }

  /**
   * Checks whether a process still waits for the answer. Clocks may be set, and this process may
   * have slept: so it is by the looks since the time of the file changed, not by any time.
   *
   * @param now when the file was touched last
   */
  boolean abandoned(FileTime now) {
    looks = now.equals(touched) ? looks + 1 : 0;
    touched = now;
    return looks > MOST_LOOKS || request != null && request.orphaned();
  }

  String words() {
    return request == null ? "" : request.words();
  }

  String asker() {
    return request == null ? "unknown" : "host=" + request.host() + " pid=" + request.pid();
  }

  void callOff() {
    Future<?> running = underWay;
    if (running != null) {
      running.cancel(true);
    }
  }
}
