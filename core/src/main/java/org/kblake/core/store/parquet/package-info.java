/**
 * The Parquet files of a block: events of one value type as columns, written and read back page by
 * page. Pages are encoded from and decoded into the arrays of {@link
 * org.kblake.core.store.EventColumns}; of Parquet's own library only the Thrift structures are
 * used. Nothing here knows blocks, logs or threads.
 */
@NullMarked
package org.kblake.core.store.parquet;

import org.jspecify.annotations.NullMarked;
