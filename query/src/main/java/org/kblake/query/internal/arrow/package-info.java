/**
 * Batches of events as Arrow vectors, and the copying of columns into their buffers. Files,
 * archives and stores are not handled here.
 */
@NullMarked
package org.kblake.query.internal.arrow;

import org.jspecify.annotations.NullMarked;
