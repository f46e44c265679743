/**
 * Divides the events of a channel in a block into rows of its rollups and the times that are read
 * from events.
 *
 * <p>May use {@code core.model}, {@code core.internal.log.file}, {@code core.internal.store.block},
 * {@code core.internal.store.chunk}, {@code core.internal.store.rollup}, {@code
 * query.internal.catalog}, {@code query.internal.plan}, {@code query.question}.
 */
@NullMarked
package org.kblake.query.internal.rollup;

import org.jspecify.annotations.NullMarked;
