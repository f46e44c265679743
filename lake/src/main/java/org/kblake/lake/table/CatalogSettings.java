package org.kblake.lake.table;

import java.util.Map;

/**
 * How tables are found.
 *
 * @param kind {@code hadoop}, {@code rest} or {@code jdbc}
 * @param location the directory of the tables, a path or a URI; a slash at its end is removed
 * @param properties properties of the catalog, such as {@code uri}
 * @param hadoop settings of Hadoop, such as {@code fs.s3a.endpoint}
 */
public record CatalogSettings(
    String kind, String location, Map<String, String> properties, Map<String, String> hadoop) {

  public CatalogSettings {
    // Catalogs remove it, too: s3://bucket/lake//VA is another place than s3://bucket/lake/VA.
    location = location.replaceFirst("(?<=[^:/])/+$", "");
    properties = Map.copyOf(properties);
    hadoop = Map.copyOf(hadoop);
  }
}
