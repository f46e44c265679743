/** The commands below {@code kblake lake}. */
@NullMarked
package org.kblake.lake;

import org.jspecify.annotations.NullMarked;
