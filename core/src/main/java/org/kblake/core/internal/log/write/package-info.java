/**
 * Writes pairs as kblog does, for simulations, restore and tests. It never writes below an archive
 * that kblake reads.
 *
 * <p>May use {@code core.model}, {@code core.layout}, {@code core.internal.log.file}, {@code
 * core.internal.log.pair}, {@code core.internal.log.scan}.
 */
@NullMarked
package org.kblake.core.internal.log.write;

import org.jspecify.annotations.NullMarked;
