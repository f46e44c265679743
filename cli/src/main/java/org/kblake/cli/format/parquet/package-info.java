/**
 * Answers as ordinary Parquet files: flat, rows in the order they come, types that any reader
 * knows. What a store writes is {@code org.kblake.core.store.parquet} and looks different: it is
 * sorted by channel and keeps log order.
 */
@NullMarked
package org.kblake.cli.format.parquet;

import org.jspecify.annotations.NullMarked;
