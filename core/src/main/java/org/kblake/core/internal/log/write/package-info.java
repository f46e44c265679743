/**
 * Writes pairs as kblog does, for simulations, restore and tests. It never writes below an archive
 * that kblake reads.
 */
@NullMarked
package org.kblake.core.internal.log.write;

import org.jspecify.annotations.NullMarked;
