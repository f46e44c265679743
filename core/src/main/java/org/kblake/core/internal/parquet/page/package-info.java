/**
 * The pages of a column chunk: headers, checksums, compression.
 *
 * <p>May use {@code core.columns}, {@code core.internal.start}, {@code
 * core.internal.parquet.encoding}.
 */
@NullMarked
package org.kblake.core.internal.parquet.page;

import org.jspecify.annotations.NullMarked;
