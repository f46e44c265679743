/** The side that has growing logs, and gives their bytes to builders. Opens files to read only. */
@NullMarked
package org.kblake.transfer.collect;

import org.jspecify.annotations.NullMarked;
