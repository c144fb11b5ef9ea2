// SPDX-License-Identifier: MIT
'use strict';

module.exports = name => `hello, ${name}`;
