/**
 * A store, open for reading. {@link org.kblake.core.store.StoreReader} lists its groups and their
 * blocks, {@link org.kblake.core.store.StoredBlock} tells which bytes of logs a block has, and
 * {@link org.kblake.core.store.EventFile} reads the rows of its files, which {@link
 * org.kblake.core.store.FileRewriter} writes again elsewhere.
 */
@NullMarked
package org.kblake.core.store;

import org.jspecify.annotations.NullMarked;
