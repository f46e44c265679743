/**
 * The Java API for reading. {@link org.kblake.query.ArchiveReader} is the entry. It opens readers,
 * cursors, followers, grids, trends and held values. It never writes to archives, and only access
 * records to stores. Its only threads read long raw logs ahead. A caller may give an executor.
 *
 * <p>May use {@code core.model}, {@code core.internal.stop}, {@code core.archive}, {@code
 * core.columns}, {@code core.internal.time}, {@code core.internal.log.file}, {@code
 * core.internal.log.archive}, {@code core.internal.metadata}, {@code core.internal.store}, {@code
 * core.internal.store.access}, {@code query.question}, {@code query.answer}, {@code
 * query.internal.engine}, {@code query.internal.catalog}, {@code query.internal.plan}, {@code
 * query.internal.source}, {@code query.internal.coverage}, {@code query.internal.grid}, {@code
 * query.internal.trend}, {@code query.internal.follow}, {@code query.internal.remote}, {@code
 * query.arrow}, {@code query.internal.arrow}.
 */
@NullMarked
package org.kblake.query;

import org.jspecify.annotations.NullMarked;
