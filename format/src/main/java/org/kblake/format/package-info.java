/**
 * The formats of an answer, and the interface of their writers.
 *
 * <p>May use {@code core.internal.parquet.page}.
 */
@NullMarked
package org.kblake.format;

import org.jspecify.annotations.NullMarked;
