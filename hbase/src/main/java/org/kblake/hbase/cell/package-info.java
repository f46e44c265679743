/**
 * The events of a stretch as sorted cells in memory, and files of HBase that have them.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code query.answer}, {@code hbase.layout},
 * {@code hbase.stop}.
 */
@NullMarked
package org.kblake.hbase.cell;

import org.jspecify.annotations.NullMarked;
