/**
 * The export of an archive's events: the stretches, their reading, writing and verification.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.internal.time}, {@code query},
 * {@code query.answer}, {@code query.question}, {@code hbase.layout}, {@code hbase.cell}, {@code
 * hbase.cluster}, {@code hbase.destination}, {@code hbase.stop}.
 */
@NullMarked
package org.kblake.hbase.export;

import org.jspecify.annotations.NullMarked;
