/** Answers as Arrow IPC. */
@NullMarked
package org.kblake.format.arrow;

import org.jspecify.annotations.NullMarked;
