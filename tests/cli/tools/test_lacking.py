"""What is missing is a skip at home and a failure in CI."""

import pytest

import lacking


@pytest.mark.parametrize("is_ci, outcome", [
    (True, pytest.fail.Exception), (False, pytest.skip.Exception)])
def test_missing_tool_fails_in_ci_else_skips(monkeypatch, is_ci, outcome):
    monkeypatch.setattr(lacking, "CI", is_ci)
    with pytest.raises(outcome, match="needs luck"):
        lacking.lacks("needs luck")
    assert lacking.needs(False, "needs luck").args == (not is_ci,)
    assert lacking.needs(True, "needs luck").args == (False,)
