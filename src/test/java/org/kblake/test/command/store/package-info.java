/** Commands that write or verify a store, as a user calls them. */
@NullMarked
package org.kblake.test.command.store;

import org.jspecify.annotations.NullMarked;
