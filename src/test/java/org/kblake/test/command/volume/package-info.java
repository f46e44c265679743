/** Commands on volumes that are unavailable, fail, are read-only or belong to other users. */
@NullMarked
package org.kblake.test.command.volume;

import org.jspecify.annotations.NullMarked;
