/** Tests of the live demonstration. */
@NullMarked
package org.kblake.record.demo;

import org.jspecify.annotations.NullMarked;
