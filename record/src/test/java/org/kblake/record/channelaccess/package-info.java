/** Tests of the package of the same name. */
@NullMarked
package org.kblake.record.channelaccess;

import org.jspecify.annotations.NullMarked;
