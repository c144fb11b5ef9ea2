# SPDX-License-Identifier: MIT
"""Sends its parent SIGALRM every millisecond until that is gone."""

import os
import signal
import time

parent = os.getppid()
while os.getppid() == parent:
    os.kill(parent, signal.SIGALRM)
    time.sleep(0.001)
