/** Commands of {@code kblake} as a user calls them. */
@NullMarked
package org.kblake.test.command;

import org.jspecify.annotations.NullMarked;
