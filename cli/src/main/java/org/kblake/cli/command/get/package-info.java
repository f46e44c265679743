/**
 * {@code kblake get} and {@code kblake build}: events and held values as text, Arrow or Parquet.
 */
@NullMarked
package org.kblake.cli.command.get;

import org.jspecify.annotations.NullMarked;
