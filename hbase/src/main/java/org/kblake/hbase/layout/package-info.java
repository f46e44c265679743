/** The layout of a table: the bytes of a row's key and of a cell's value (docs/design/hbase.md). */
@NullMarked
package org.kblake.hbase.layout;

import org.jspecify.annotations.NullMarked;
