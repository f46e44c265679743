/** Whether the user has stopped the command. */
@NullMarked
package org.kblake.hbase.stop;

import org.jspecify.annotations.NullMarked;
