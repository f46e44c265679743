/** A cluster of HBase: its connection with a time limit, its errors, and a table of events. */
@NullMarked
package org.kblake.hbase.cluster;

import org.jspecify.annotations.NullMarked;
