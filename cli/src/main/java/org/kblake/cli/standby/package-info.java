/** Which of several processes works, while the others stand by. */
@NullMarked
package org.kblake.cli.standby;

import org.jspecify.annotations.NullMarked;
