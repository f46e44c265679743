/** Reads of the archive within a rate, and background threads. */
@NullMarked
package org.kblake.ingest.internal.pace;

import org.jspecify.annotations.NullMarked;
