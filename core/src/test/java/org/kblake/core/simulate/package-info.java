/**
 * Holds simulations to what docs/simulate.md says, and makes the nastiest archives there can be.
 */
@NullMarked
package org.kblake.core.simulate;

import org.jspecify.annotations.NullMarked;
