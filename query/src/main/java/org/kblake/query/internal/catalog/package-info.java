/**
 * The contents of archive, mirror and store for each group: pairs, blocks, record tables. They are
 * kept between questions while directories do not change.
 *
 * <p>May use {@code core.model}, {@code core.internal.stop}, {@code core.archive}, {@code
 * core.internal.columns}, {@code core.internal.cache}, {@code core.internal.time}, {@code
 * core.layout}, {@code core.internal.log.file}, {@code core.internal.log.pair}, {@code
 * core.internal.log.archive}, {@code core.internal.log.scan}, {@code core.internal.metadata},
 * {@code core.internal.mirror}, {@code core.internal.store}, {@code core.internal.store.block},
 * {@code query.question}, {@code query.answer}.
 */
@NullMarked
package org.kblake.query.internal.catalog;

import org.jspecify.annotations.NullMarked;
