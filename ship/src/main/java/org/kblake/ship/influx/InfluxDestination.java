package org.kblake.ship.influx;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Where lines go.
 *
 * @param url the address of the server, without a path of the API
 * @param database the database, or the bucket of version 2
 * @param scope the retention policy of version 1, the organisation of version 2; may be empty
 * @param authorization the value of the header; empty for none
 */
public record InfluxDestination(
    InfluxVersion version, String url, String database, String scope, String authorization) {

  public InfluxDestination {
    url = url.replaceFirst("/+$", "");
  }

  URI write() {
    String path =
        switch (version) {
          case V1 ->
              "/write?precision=ns&db="
                  + encoded(database)
                  + (scope.isEmpty() ? "" : "&rp=" + encoded(scope));
          case V2 ->
              "/api/v2/write?precision=ns&bucket=" + encoded(database) + "&org=" + encoded(scope);
          case V3 ->
              "/api/v3/write_lp?precision=nanosecond&accept_partial=true&db=" + encoded(database);
        };
    return URI.create(url + path);
  }

  /** All versions answer InfluxQL here. Version 2 needs a mapping of the bucket to a database. */
  URI query(String statement) {
    String policy = version == InfluxVersion.V1 && !scope.isEmpty() ? "&rp=" + encoded(scope) : "";
    return URI.create(
        url + "/query?epoch=ns&db=" + encoded(database) + policy + "&q=" + encoded(statement));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Returns one line without secrets, by which a state knows its receiver. */
  @Override
  public String toString() {
    return "influxdb "
        + version
        + " "
        + url
        + " "
        + database
        + (scope.isEmpty() ? "" : "/" + scope);
  }
}
