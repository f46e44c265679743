/**
 * Requests of one process to the process that writes the store, through a socket in the store
 * (docs/store-format.md). What a peer sends is validated.
 */
@NullMarked
package org.kblake.cli.handover;

import org.jspecify.annotations.NullMarked;
