/** The way back: the events of a table as logs of a new archive. */
@NullMarked
package org.kblake.hbase.restore;

import org.jspecify.annotations.NullMarked;
