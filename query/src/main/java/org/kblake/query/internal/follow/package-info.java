/**
 * Following: history from a time on, then new events as pairs grow.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.columns}, {@code
 * core.internal.time}, {@code core.layout}, {@code core.internal.log.file}, {@code
 * core.internal.metadata}, {@code core.internal.log.pair}, {@code core.internal.log.scan}, {@code
 * core.internal.store.block}, {@code query.question}, {@code query.answer}, {@code
 * query.internal.catalog}, {@code query.internal.section}, {@code query.internal.plan}, {@code
 * query.internal.source}, {@code query.internal.coverage}.
 */
@NullMarked
package org.kblake.query.internal.follow;

import org.jspecify.annotations.NullMarked;
