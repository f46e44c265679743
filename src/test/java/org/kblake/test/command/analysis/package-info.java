/**
 * {@code kblake moved} and {@code kblake diff} as a user calls them, and {@code kblake when} over a
 * server.
 */
@NullMarked
package org.kblake.test.command.analysis;

import org.jspecify.annotations.NullMarked;
