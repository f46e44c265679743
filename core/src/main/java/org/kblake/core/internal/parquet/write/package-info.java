/** Encodes columns into row groups and writes the Parquet files of a block. */
@NullMarked
package org.kblake.core.internal.parquet.write;

import org.jspecify.annotations.NullMarked;
