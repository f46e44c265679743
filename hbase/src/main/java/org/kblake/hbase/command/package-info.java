/** {@code kblake export hbase} and {@code kblake import hbase}. */
@NullMarked
package org.kblake.hbase.command;

import org.jspecify.annotations.NullMarked;
