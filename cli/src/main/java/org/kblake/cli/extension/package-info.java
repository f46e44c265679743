/**
 * Commands that are not in the main tarball: the words of {@code kblake} that stand for them, and
 * the interface that a tarball of its own implements.
 */
@NullMarked
package org.kblake.cli.extension;

import org.jspecify.annotations.NullMarked;
