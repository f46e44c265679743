/**
 * Answers each kind of question: resolves names, plans, and opens the sources.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.layout}, {@code
 * core.internal.time}, {@code core.internal.names}, {@code core.internal.store.access}, {@code
 * core.internal.store.block}, {@code query.question}, {@code query.answer}, {@code
 * query.internal.catalog}, {@code query.internal.plan}, {@code query.internal.source}, {@code
 * query.internal.coverage}, {@code query.internal.held}, {@code query.internal.moved}, {@code
 * query.internal.grid}, {@code query.internal.trend}, {@code query.internal.follow}, {@code
 * query.arrow}.
 */
@NullMarked
package org.kblake.query.internal.engine;

import org.jspecify.annotations.NullMarked;
