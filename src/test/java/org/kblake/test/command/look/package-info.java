/** Commands that show contents, as a user calls them. */
@NullMarked
package org.kblake.test.command.look;

import org.jspecify.annotations.NullMarked;
