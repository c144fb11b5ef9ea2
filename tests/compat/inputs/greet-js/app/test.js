// SPDX-License-Identifier: MIT
'use strict';

require('assert').strictEqual(require('greet')('you'), 'hello, you');
console.log('tested');
