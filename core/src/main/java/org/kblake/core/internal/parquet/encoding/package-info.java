/**
 * Parquet encodings: bytes to numbers and back. Knows neither pages nor files.
 *
 * <p>May use {@code core.model}.
 */
@NullMarked
package org.kblake.core.internal.parquet.encoding;

import org.jspecify.annotations.NullMarked;
