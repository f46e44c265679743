package org.kblake.cli.run.request;

import java.nio.file.attribute.FileTime;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.handover.HandoverAnswer;
import org.kblake.cli.handover.HandoverRequest;

/** An open request and its present state. Only one thread uses it, except for {@link #work}. */
final class OpenRequest {

  /**
   * The limit of polls without a touch. A waiting command touches its request every quarter of a
   * second, unless it is suspended.
   */
  private static final int MAX_POLLS = 20;

  final String name;

  /** The request; null if the file is invalid. */
  final @Nullable HandoverRequest request;

  final RequestWork work = new RequestWork();
  @Nullable Future<?> underWay;
  @Nullable HandoverAnswer lastAnswer;
  private @Nullable FileTime touched;
  private int polls;

  OpenRequest(String name, @Nullable HandoverRequest request) {
    this.name = name;
    this.request = request;
  }

  /** Returns whether the request has ended. */
  boolean ended() {
    return work.answer().state().isEnd();
  }

  /**
   * Returns whether no process waits for the answer any more. It counts the polls since the last
   * touch. It does not measure time, because clocks may be set, and this process may be suspended.
   *
   * @param now the time of the last touch of the file
   */
  boolean abandoned(FileTime now) {
    polls = now.equals(touched) ? polls + 1 : 0;
    touched = now;
    return polls > MAX_POLLS || request != null && request.hasNoRequester();
  }

  String words() {
    return request == null ? "" : request.words();
  }

  String requester() {
    return request == null ? "unknown" : "host=" + request.host() + " pid=" + request.pid();
  }

  void cancel() {
    Future<?> running = underWay;
    if (running != null) {
      running.cancel(true);
    }
  }
}
