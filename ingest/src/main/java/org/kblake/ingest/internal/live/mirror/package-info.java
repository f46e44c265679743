/** Copies the growing logs of followed groups into the mirror. */
@NullMarked
package org.kblake.ingest.internal.live.mirror;

import org.jspecify.annotations.NullMarked;
