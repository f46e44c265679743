/**
 * The plan of a group's spans that are missing in the store, and the work that makes blocks of
 * them.
 */
@NullMarked
package org.kblake.ingest.internal.transcode;

import org.jspecify.annotations.NullMarked;
