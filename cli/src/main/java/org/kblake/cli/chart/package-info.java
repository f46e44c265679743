/** Small pictures of numbers made of characters. Knows nothing of archives or times. */
@NullMarked
package org.kblake.cli.chart;

import org.jspecify.annotations.NullMarked;
