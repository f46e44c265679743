package org.kblake.server.internal.live;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.kblake.core.model.Group;
import org.kblake.query.EventFollower;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.FollowQuery;
import org.kblake.server.internal.answer.HeaderAnswer;
import org.kblake.server.internal.api.Parameters;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.Door;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * {@code /api/v1/live}: events of channels from a time on as server-sent events, until the client
 * goes away. A stream has a thread of the server, which a slow client blocks. Thread safe.
 */
public final class LiveDoor implements Door, AutoCloseable {

  private static final int TOO_MANY = 429;
  private static final int ENDING = 503;
  private static final String RETRY_AFTER = "Retry-After";
  private static final String RETRY_SECONDS = "10";
  private static final long END_SECONDS = 5;

  private final ServedArchive archive;
  private final LiveLimits limits;
  private final Semaphore free;
  private final Set<LiveStream> streams = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  public LiveDoor(ServedArchive archive, LiveLimits limits) {
    this.archive = archive;
    this.limits = limits;
    free = new Semaphore(limits.streams());
  }

  @Override
  public String name() {
    return "live";
  }

  @Override
  public void addTo(RoutesConfig routes) {
    routes.get("/api/v1/live", this::live);
  }

  /** Returns the number of streams. */
  public int streams() {
    return limits.streams() - free.availablePermits();
  }

  private void live(Context context) throws IOException {
    if (!free.tryAcquire()) {
      context.header(RETRY_AFTER, RETRY_SECONDS);
      throw new HttpStatusException(
          TOO_MANY,
          "too many live streams: the limit is "
              + limits.streams()
              + "; close one, or try again in "
              + RETRY_SECONDS
              + " s");
    }
    try {
      Parameters parameters = new Parameters(context, archive);
      boolean nanos = parameters.hasNanos();
      boolean nonFiniteTexts = parameters.hasNonFiniteTexts();
      try (EventFollower follower = archive.reader().follow(query(parameters))) {
        LiveStream stream = new LiveStream(follower, limits.heartbeat());
        streams.add(stream);
        try {
          if (closed) {
            throw new HttpStatusException(ENDING, "the server ends; try again later");
          }
          begin(context, follower);
          if (HeaderAnswer.isWanted(context)) {
            context.res().flushBuffer();
            return;
          }
          stream.run(new EventStream(context.res().getOutputStream(), nanos, nonFiniteTexts));
        } finally {
          streams.remove(stream);
        }
      }
    } finally {
      free.release();
    }
  }

  private static FollowQuery query(Parameters parameters) throws IOException {
    List<ChannelInfo> channels = parameters.knownChannels();
    List<Group> groups = channels.stream().map(info -> info.channel().group()).distinct().toList();
    List<ChannelPattern> names =
        channels.stream()
            .map(info -> info.channel().name())
            .distinct()
            .map(ChannelPattern::knownName)
            .toList();
    try {
      ChannelSelection selection = new ChannelSelection(groups, names);
      return FollowQuery.of(selection, Instant.EPOCH).from(parameters.begin("from"));
    } catch (ArithmeticException e) {
      throw HttpStatusException.wrong("from", "it is out of range");
    }
  }

  private void begin(Context context, EventFollower follower) {
    // A write that does not progress for this time fails.
    ServletContextRequest.getServletContextRequest(context.req())
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint()
        .setIdleTimeout(limits.stall().toMillis());
    context.contentType("text/event-stream; charset=utf-8");
    context.header("Cache-Control", "no-store");
    context.header("X-Accel-Buffering", "no");
    context.header("Connection", "close");
    context.header("Kblake-Complete", follower.coverage().isComplete() ? "unknown" : "false");
  }

  /** Ends all streams in order, and waits some seconds for their last bytes. */
  @Override
  public void close() {
    closed = true;
    for (LiveStream stream : streams) {
      try {
        stream.end();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    try {
      if (free.tryAcquire(limits.streams(), END_SECONDS, TimeUnit.SECONDS)) {
        free.release(limits.streams());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
