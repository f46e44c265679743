/** Finds the values that channels held at one instant. The search goes backwards in log order. */
@NullMarked
package org.kblake.query.internal.held;

import org.jspecify.annotations.NullMarked;
