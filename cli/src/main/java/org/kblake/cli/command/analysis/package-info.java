/**
 * {@code kblake moved}, {@code kblake diff} and {@code kblake when}: which channels left their
 * habit, what differs between two instants, and when conditions are met.
 */
@NullMarked
package org.kblake.cli.command.analysis;

import org.jspecify.annotations.NullMarked;
