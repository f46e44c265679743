/** Decodes the pages of the Parquet files of a block into columns. */
@NullMarked
package org.kblake.core.internal.parquet.read;

import org.jspecify.annotations.NullMarked;
