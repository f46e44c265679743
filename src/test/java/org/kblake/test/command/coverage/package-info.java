/** {@code kblake coverage} as a user calls it, and against answers. */
@NullMarked
package org.kblake.test.command.coverage;

import org.jspecify.annotations.NullMarked;
