/** The program {@code kblake}: its commands are registered here, and nowhere else. */
@NullMarked
package org.kblake.cli;

import org.jspecify.annotations.NullMarked;
