/** Compares blocks with logs, and writes logs again from blocks. */
@NullMarked
package org.kblake.ingest.internal.verify;

import org.jspecify.annotations.NullMarked;
