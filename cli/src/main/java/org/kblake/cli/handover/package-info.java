/**
 * What one process asks the process that writes a store to do, and how that goes on: small files in
 * the store's directory {@code requests/} (docs/store-format.md). What is in them is never trusted.
 */
@NullMarked
package org.kblake.cli.handover;

import org.jspecify.annotations.NullMarked;
