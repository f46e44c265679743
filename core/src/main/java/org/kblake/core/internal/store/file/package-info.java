/**
 * The files of a store: durable writing, positional reading, the pace of reads, hashes, and the
 * errors that a user can correct.
 */
@NullMarked
package org.kblake.core.internal.store.file;

import org.jspecify.annotations.NullMarked;
