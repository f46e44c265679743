/** Commands that write or verify a store: backfill, compact, verify, restore. */
@NullMarked
package org.kblake.cli.command.store;

import org.jspecify.annotations.NullMarked;
