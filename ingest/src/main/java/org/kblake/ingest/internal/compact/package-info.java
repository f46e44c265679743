/** Merges small blocks into larger ones, and writes blocks of old events in another codec. */
@NullMarked
package org.kblake.ingest.internal.compact;

import org.jspecify.annotations.NullMarked;
