/** Sums of many numbers with small errors. */
@NullMarked
package org.kblake.core.internal.sums;

import org.jspecify.annotations.NullMarked;
