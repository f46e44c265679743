package org.kblake.server.internal.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.kblake.server.internal.guard.DoorMetrics;
import org.kblake.server.internal.guard.ReadyProbe;

/** {@code /health}, {@code /ready} and {@code /metrics}. */
final class OperationDoor implements Door {

  private static final int NOT_READY = 503;

  private final DoorMetrics metrics;
  private final ReadyProbe probe;

  OperationDoor(DoorMetrics metrics, ReadyProbe probe) {
    this.metrics = metrics;
    this.probe = probe;
  }

  @Override
  public String name() {
    return "operation";
  }

  @Override
  public void addTo(RoutesConfig routes) {
    routes.get("/health", context -> text(context, "alive"));
    routes.get("/ready", this::ready);
    routes.get(
        "/metrics",
        context ->
            context
                .header("Cache-Control", "no-store")
                .contentType("text/plain; version=0.0.4; charset=utf-8")
                .result(metrics.scrape()));
  }

  private void ready(Context context) throws InterruptedException {
    String why = probe.unready();
    if (why == null) {
      text(context, "ready");
    } else {
      context.status(NOT_READY);
      text(context, PublicText.of(why));
    }
  }

  private static void text(Context context, String line) {
    context
        .header("Cache-Control", "no-store")
        .contentType("text/plain; charset=utf-8")
        .result(line + "\n");
  }
}
