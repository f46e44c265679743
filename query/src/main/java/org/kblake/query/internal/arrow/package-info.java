/**
 * Batches of events as Arrow vectors, and the copying of columns into their buffers. Knows no file,
 * archive or store.
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code query.arrow}.
 */
@NullMarked
package org.kblake.query.internal.arrow;

import org.jspecify.annotations.NullMarked;
