/** Measures what the other modules promise to be fast at, with JMH. Nothing of this is shipped. */
@NullMarked
package org.kblake.benchmarks;

import org.jspecify.annotations.NullMarked;
