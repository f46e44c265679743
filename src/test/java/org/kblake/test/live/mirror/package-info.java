/** The mirror of growing logs, and answers from it. */
@NullMarked
package org.kblake.test.live.mirror;

import org.jspecify.annotations.NullMarked;
