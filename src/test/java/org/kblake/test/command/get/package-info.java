/** {@code kblake get} as a user calls it. */
@NullMarked
package org.kblake.test.command.get;

import org.jspecify.annotations.NullMarked;
