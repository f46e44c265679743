/** Tests of exports without a command. */
@NullMarked
package org.kblake.hbase.export;

import org.jspecify.annotations.NullMarked;
