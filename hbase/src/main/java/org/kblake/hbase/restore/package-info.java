/**
 * The way back: the events of a table as logs of a new archive.
 *
 * <p>May use {@code core.model}, {@code core.layout}, {@code core.internal.log.pair}, {@code
 * core.internal.log.scan}, {@code core.internal.log.write}, {@code hbase.layout}, {@code
 * hbase.stop}.
 */
@NullMarked
package org.kblake.hbase.restore;

import org.jspecify.annotations.NullMarked;
