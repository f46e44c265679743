/** Tests of the trend page in a browser. They have the tag {@code browser} (CONTRIBUTING.md). */
@NullMarked
package org.kblake.test.page;

import org.jspecify.annotations.NullMarked;
