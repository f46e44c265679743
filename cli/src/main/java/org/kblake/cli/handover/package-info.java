/**
 * Requests of one process to the process that writes the store: small files in the store's
 * directory {@code requests/} (docs/store-format.md). Their contents are validated.
 */
@NullMarked
package org.kblake.cli.handover;

import org.jspecify.annotations.NullMarked;
