/** Times as nanoseconds: arithmetic that does not overflow. */
@NullMarked
package org.kblake.core.internal.time;

import org.jspecify.annotations.NullMarked;
