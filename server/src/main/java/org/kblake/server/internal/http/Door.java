package org.kblake.server.internal.http;

import io.javalin.config.RoutesConfig;

/** A protocol of the server: the paths that it answers. */
public interface Door {

  /** Returns the name of the door in metrics and in the request log. */
  String name();

  /** Adds the paths. */
  void addTo(RoutesConfig routes);
}
