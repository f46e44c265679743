/**
 * Answers as ordinary Parquet files: flat, rows in the order of the answer. The files of a store
 * differ: they are sorted by channel and keep log order.
 */
@NullMarked
package org.kblake.format.parquet;

import org.jspecify.annotations.NullMarked;
