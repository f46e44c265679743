/**
 * The axes of Figures 3 and 4 of the paper on KEKBLog's cache, and the parts of a read that its
 * section 3 discusses. Started by {@code benchmarks/paper}. Uses the tools of {@code measure}.
 */
@NullMarked
package org.kblake.benchmarks.paper;

import org.jspecify.annotations.NullMarked;
