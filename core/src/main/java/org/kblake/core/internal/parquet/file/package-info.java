/**
 * The layout of a Parquet file of a block: schema, footer, positions of row groups, columns and
 * pages.
 */
@NullMarked
package org.kblake.core.internal.parquet.file;

import org.jspecify.annotations.NullMarked;
