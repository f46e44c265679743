/** Whether the process is likely to end soon. */
@NullMarked
package org.kblake.core.internal.start;

import org.jspecify.annotations.NullMarked;
