/** Commands of {@code kblake} as a user calls them: all commands, the launcher, figures. */
@NullMarked
package org.kblake.test.command;

import org.jspecify.annotations.NullMarked;
