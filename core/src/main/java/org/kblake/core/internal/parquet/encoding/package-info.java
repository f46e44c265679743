/** Parquet encodings: bytes to numbers and back. Pages and files are not handled here. */
@NullMarked
package org.kblake.core.internal.parquet.encoding;

import org.jspecify.annotations.NullMarked;
