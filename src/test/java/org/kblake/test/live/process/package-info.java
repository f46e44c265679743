/** The process of {@code kblake run}, and kills of following processes. */
@NullMarked
package org.kblake.test.live.process;

import org.jspecify.annotations.NullMarked;
