# SPDX-License-Identifier: MIT
"""pytest's side: fixtures that the compiler's conftest would give, what is raised and warned by class and not by text, and
one line of JSON for each thing that was compared."""
import contextlib
import json
import os

import pytest

import stand_ins  # noqa: F401 (makes the imports of the tests work)
from language import State

raises = pytest.raises


def raises_by_class(expected, *arguments, match=None, **keywords):
    return raises(expected, *arguments, **keywords)


@contextlib.contextmanager
def warns(*arguments, **keywords):
    yield []


pytest.raises, pytest.warns = raises_by_class, warns


@pytest.fixture
def device_ids():
    return list(range(16))


@pytest.fixture
def test_config():
    return stand_ins.l.Lenient("test_config")


@pytest.fixture
def default_pass_manager():
    return stand_ins.l.Opaque("PassManager")


@pytest.fixture
def ascend_backend(request):
    return getattr(request, "param", None)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    State.test, State.running = item.nodeid, True
    yield
    State.running = False


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):
    State.test = collector.nodeid
    yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if call.when == "call" or report.outcome != "passed":
        why = str(call.excinfo.value) if call.excinfo else ""
        State.events.append({"test": item.nodeid, "kind": "outcome", "name": report.outcome, "ok": report.passed,
                             "raised": call.excinfo.typename if call.excinfo else "", "why": why[:2000]})


def pytest_collectreport(report):
    if report.failed:
        State.events.append({"test": report.nodeid, "kind": "outcome", "name": "not collected", "ok": False,
                             "why": str(report.longrepr)[-2000:]})


def pytest_sessionfinish(session):
    with open(os.environ["CONFORMANCE_EVENTS"], "a") as f:
        for event in State.events:
            f.write(json.dumps(event) + "\n")
