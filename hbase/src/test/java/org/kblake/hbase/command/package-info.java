/** The commands as a user calls them, without a cluster. */
@NullMarked
package org.kblake.hbase.command;

import org.jspecify.annotations.NullMarked;
