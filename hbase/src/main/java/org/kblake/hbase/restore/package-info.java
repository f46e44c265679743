/**
 * The way back: the events of a table as logs of a new archive.
 *
 * <p>May use {@code core.model}, {@code core.layout}, {@code core.internal.log.write}, {@code
 * core.internal.log.file}, {@code hbase.layout}, {@code hbase.cell}, {@code hbase.cluster}.
 */
@NullMarked
package org.kblake.hbase.restore;

import org.jspecify.annotations.NullMarked;
