/** The commands against HBase's mini cluster. */
@NullMarked
package org.kblake.hbase.cluster;

import org.jspecify.annotations.NullMarked;
