#!/usr/bin/env node
// SPDX-License-Identifier: MIT
'use strict';

console.log(require('./index.js')(process.argv[2]));
