/**
 * Commands that are not in the main tarball: the words of {@code kblake} that stand for them, and
 * the interface that a tarball of its own implements.
 *
 * <p>May use {@code cli.frame}, {@code cli.error}.
 */
@NullMarked
package org.kblake.cli.extension;

import org.jspecify.annotations.NullMarked;
