/** Whether the work of a thread is no longer wanted. */
@NullMarked
package org.kblake.core.internal.stop;

import org.jspecify.annotations.NullMarked;
