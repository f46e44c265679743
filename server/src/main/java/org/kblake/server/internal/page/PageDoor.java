package org.kblake.server.internal.page;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.server.internal.http.Door;
import org.kblake.server.internal.http.HttpStatusException;

/** The trend page, the page of the status, and that of a channel. */
public final class PageDoor implements Door {

  private static final int NOT_MODIFIED = 304;
  private static final int NOT_FOUND = 404;

  /** Only what the server itself sends is loaded, and no script or style inside of a page. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  private final PageFiles files = new PageFiles();

  @Override
  public String name() {
    return "page";
  }

  @Override
  public void addTo(RoutesConfig routes) {
    routes.get("/", context -> send(context, files.page("index.html")));
    routes.get("/status", context -> send(context, files.page("text.html")));
    routes.get("/channel", context -> send(context, files.page("text.html")));
    routes.get("/page/{file}", context -> send(context, files.page(context.pathParam("file"))));
    routes.get(
        "/page/uplot/{file}", context -> send(context, files.plot(context.pathParam("file"))));
  }

  private static void send(Context context, @Nullable PageFile file) {
    if (file == null) {
      throw new HttpStatusException(NOT_FOUND, "no such page: path=" + context.path());
    }
    context.header("Cache-Control", "no-cache");
    context.header("ETag", file.etag());
    context.header("Vary", "Accept-Encoding");
    context.header("Content-Security-Policy", POLICY);
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Referrer-Policy", "no-referrer");
    if (Objects.requireNonNullElse(context.header("If-None-Match"), "").contains(file.etag())) {
      context.status(NOT_MODIFIED);
      return;
    }
    context.contentType(file.contentType());
    if (Objects.requireNonNullElse(context.header("Accept-Encoding"), "").contains("gzip")) {
      context.header("Content-Encoding", "gzip");
      context.result(file.compressed());
    } else {
      context.result(file.plain());
    }
  }
}
