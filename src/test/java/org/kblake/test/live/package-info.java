/** Following an archive, the mirror, and the process of {@code kblake run}. */
@NullMarked
package org.kblake.test.live;

import org.jspecify.annotations.NullMarked;
