# Kernel table of a program of three kernels, in the form that the compiler gives it.
from pathlib import Path

from simpler.task_interface import ArgDirection as _D

_ROOT_DIR = Path(__file__).parent

KERNELS = [
	{"func_id": 0, "name": "publish", "source": str(_ROOT_DIR / "kernels" / "aiv" / "publish.cpp"), "core_type": "aiv", "signature": [_D.OUT, _D.INOUT]},
	{"func_id": 1, "name": "wait", "source": str(_ROOT_DIR / "kernels" / "aiv" / "wait.cpp"), "core_type": "aiv", "signature": [_D.IN]},
	{"func_id": 2, "name": "read", "source": str(_ROOT_DIR / "kernels" / "aiv" / "read.cpp"), "core_type": "aiv", "signature": [_D.IN, _D.OUT]},
]
