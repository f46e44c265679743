/** Tests of names and watches of pairs. What pairs contain is tested with the groups. */
@NullMarked
package org.kblake.record.log;

import org.jspecify.annotations.NullMarked;
