/**
 * Divides a pair into sections in log order: stored in a block, raw in the log, or missing with a
 * reason.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.internal.columns}, {@code
 * core.internal.time}, {@code core.layout}, {@code core.internal.log.file}, {@code
 * core.internal.log.pair}, {@code core.internal.store}, {@code core.internal.store.block}, {@code
 * query.question}, {@code query.answer}, {@code query.internal.catalog}.
 */
@NullMarked
package org.kblake.query.internal.section;

import org.jspecify.annotations.NullMarked;
