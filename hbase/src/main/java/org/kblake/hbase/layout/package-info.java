/**
 * The layout of a table: the bytes of a row's key and of a cell's value (docs/design/hbase.md).
 *
 * <p>May use {@code core.model}, {@code core.columns}, {@code core.layout}.
 */
@NullMarked
package org.kblake.hbase.layout;

import org.jspecify.annotations.NullMarked;
