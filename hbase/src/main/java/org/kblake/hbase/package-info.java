/** The commands that export events to HBase and import them. */
@NullMarked
package org.kblake.hbase;

import org.jspecify.annotations.NullMarked;
