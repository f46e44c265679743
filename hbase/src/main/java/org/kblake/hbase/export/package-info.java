/** The export of an archive's events: the batches, their reading, writing and verification. */
@NullMarked
package org.kblake.hbase.export;

import org.jspecify.annotations.NullMarked;
