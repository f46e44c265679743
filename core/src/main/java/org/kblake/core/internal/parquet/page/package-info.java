/** The pages of a column chunk: headers, checksums, compression. */
@NullMarked
package org.kblake.core.internal.parquet.page;

import org.jspecify.annotations.NullMarked;
