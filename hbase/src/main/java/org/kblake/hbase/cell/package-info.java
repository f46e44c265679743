/** The events of a batch as sorted cells in memory, and files of HBase that have them. */
@NullMarked
package org.kblake.hbase.cell;

import org.jspecify.annotations.NullMarked;
