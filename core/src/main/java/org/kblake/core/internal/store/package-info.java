/** The store's directory: its identity, its blocks, the writer lock, pins and access records. */
@NullMarked
package org.kblake.core.internal.store;

import org.jspecify.annotations.NullMarked;
