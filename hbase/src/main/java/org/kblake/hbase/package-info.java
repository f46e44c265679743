/**
 * The commands that export events to HBase and import them.
 *
 * <p>May use {@code cli.extension}, {@code cli.frame}, {@code hbase.command}.
 */
@NullMarked
package org.kblake.hbase;

import org.jspecify.annotations.NullMarked;
