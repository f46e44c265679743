/**
 * Answers as ordinary Parquet files: flat, rows in the order of the answer. The files of a store
 * differ: they are sorted by channel and keep log order.
 *
 * <p>May use {@code cli.format}.
 */
@NullMarked
package org.kblake.cli.format.parquet;

import org.jspecify.annotations.NullMarked;
