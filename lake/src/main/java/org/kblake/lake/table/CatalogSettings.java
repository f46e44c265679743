package org.kblake.lake.table;

import java.util.Map;

/**
 * How tables are found.
 *
 * @param kind {@code hadoop}, {@code rest} or {@code jdbc}
 * @param location the directory of the tables, a path or a URI
 * @param properties properties of the catalog, such as {@code uri}
 * @param hadoop settings of Hadoop, such as {@code fs.s3a.endpoint}
 */
public record CatalogSettings(
    String kind, String location, Map<String, String> properties, Map<String, String> hadoop) {

  public CatalogSettings {
    properties = Map.copyOf(properties);
    hadoop = Map.copyOf(hadoop);
  }
}
