/**
 * The image of a log in a block: what is recorded while a log is scanned, how the log's bytes are
 * made again, and how the two are compared.
 *
 * <p>May use {@code core.model}, {@code core.archive}, {@code core.columns}, {@code
 * core.internal.columns}, {@code core.layout}, {@code core.internal.log.file}, {@code
 * core.internal.log.pair}, {@code core.internal.log.archive}, {@code core.internal.log.scan},
 * {@code core.internal.log.write}, {@code core.internal.store}, {@code core.internal.store.file},
 * {@code core.internal.store.block}, {@code core.internal.store.chunk}, {@code
 * ingest.internal.rows}.
 */
@NullMarked
package org.kblake.ingest.internal.image;

import org.jspecify.annotations.NullMarked;
