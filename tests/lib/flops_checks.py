"""Tests made of the comparisons of flops_compare: one a model, and one that
says how much was compared, so that an empty answer cannot pass.
"""

import pytest

import flops_compare


def results(what):
    """A fixture: {name: Findings} of one comparison, made once."""
    @pytest.fixture(scope="module")
    def fixture():
        return {found.name: found for found in flops_compare.compare_all(what)}
    return fixture


def names(what):
    """Parametrizes a test with the models of a comparison."""
    return pytest.mark.parametrize("name", flops_compare.COMPARISONS[what][1]())


def check(found):
    if found.differences:
        pytest.fail(flops_compare.report(found), pytrace=False)
    assert found.checked > 0


def check_count(found, models, checked):
    """How many models and figures there were, by the sum over all."""
    assert len(found) == models
    assert sum(one.checked for one in found.values()) == checked
