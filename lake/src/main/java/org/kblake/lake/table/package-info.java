/**
 * Tables of Apache Iceberg: their names, columns, data files and provenance, and the catalogs that
 * find them. Only this package and {@code lake.publish} know Iceberg.
 */
@NullMarked
package org.kblake.lake.table;

import org.jspecify.annotations.NullMarked;
