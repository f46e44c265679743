/**
 * The image of a log in a block: recording it during a scan, encoding the log's bytes from it
 * again, and comparing both.
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
