# SPDX-License-Identifier: MIT
from .remote import push
