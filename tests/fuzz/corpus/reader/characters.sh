a  b c ​d ﻿
