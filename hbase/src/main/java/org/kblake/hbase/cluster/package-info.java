/**
 * A cluster of HBase: its connection with a time limit, its errors, and a table of events.
 *
 * <p>May use {@code cli.error}, {@code hbase.cell}, {@code hbase.layout}, {@code hbase.stop}.
 */
@NullMarked
package org.kblake.hbase.cluster;

import org.jspecify.annotations.NullMarked;
