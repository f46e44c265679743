/** Tests of recorded groups, over a source, clocks and a file system that do what a test says. */
@NullMarked
package org.kblake.record.group;

import org.jspecify.annotations.NullMarked;
