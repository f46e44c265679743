@NullMarked
package org.kblake.core.log;

import org.jspecify.annotations.NullMarked;
