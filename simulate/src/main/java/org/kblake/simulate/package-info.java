/**
 * Archives of a simulated accelerator, of any size. The same seed gives the same bytes on every
 * JDK: no time, thread or random number of the JDK is used. {@link org.kblake.simulate.Simulation}
 * is the entry.
 */
@NullMarked
package org.kblake.simulate;

import org.jspecify.annotations.NullMarked;
