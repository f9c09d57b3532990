"""The model of docs/scaling.md against queues whose waits are known."""

from random import Random
from statistics import mean

import pytest

from bench.scaling.model import Machines, Model, StepCost, Visit, visits

ROUND_MS = 0.4
"""What a process does at once, before others have their turn."""
LATER = [Visit(1_000.0 * number, [0.0]) for number in range(3)]
"""Visitors who do not meet."""


def waits(steps, coming, machines):
    return Model(machines).simulate(steps, coming).waits


def test_visitor_alone_waits_for_the_work_and_what_is_elsewhere():
    cost = StepCost(
        5.0, postgres=2.0, statements=3, redis=1.0, nginx=0.5, elsewhere=3.0, afterwards=40.0
    )
    for cores in (0, 1):
        alone = waits({"pay": cost}, LATER, Machines(1, cores))["pay"]
        assert alone == [pytest.approx(11.5)] * 3


def test_visitors_at_once_wait_for_the_same_process_but_not_for_two():
    at_once = [Visit(0.0, [0.0]), Visit(0.0, [0.0])]
    step = {"open": StepCost(ROUND_MS)}
    assert waits(step, at_once, Machines(1))["open"] == [ROUND_MS, 2 * ROUND_MS]
    assert waits(step, at_once, Machines(2))["open"] == [ROUND_MS, ROUND_MS]
    assert waits(step, at_once, Machines(2, cores=1))["open"] == [ROUND_MS, 2 * ROUND_MS]


def test_visitor_waits_for_mails_that_are_made_at_once():
    together = [Visit(0.0, [0.0]), Visit(3.0, [0.0])]
    found = waits({"pay": StepCost(2.0, afterwards=8.0)}, together, Machines(1))["pay"]
    assert found == [pytest.approx(2.0), pytest.approx(8.0 - 1.0 + 2.0)]


def test_fourth_query_waits_for_a_connection():
    at_once = [Visit(0.0, [0.0])] * 4
    step = {"pay": StepCost(0.0, postgres=0.12, statements=1)}
    slow = waits(step, at_once, Machines(1, query_ms=20.0))["pay"]
    assert slow == [pytest.approx(each) for each in (20.12, 20.12, 20.12, 40.24)]


def test_step_waits_for_each_of_its_queries():
    step = {"pay": StepCost(3.0, postgres=1.2, statements=10), "look": StepCost(3.0)}
    slow = waits(step, [Visit(0.0, [0.0, 0.0])], Machines(1, query_ms=20.0))
    assert slow == {"pay": [pytest.approx(10 * 20 + 1.2 + 3)], "look": [pytest.approx(3.0)]}


def test_mean_wait_is_that_of_the_queue_with_one_server():
    """Pollaczek and Khinchine: constant work, arrivals at random, a server in use for 70%."""
    used = 0.7
    coming = list(visits(Random(1), 1_000 * used / ROUND_MS, 24.0, 1e-9, [1]))
    found = mean(waits({"open": StepCost(ROUND_MS)}, coming, Machines(1))["open"])
    assert found == pytest.approx(ROUND_MS * (1 + used / (2 * (1 - used))), rel=0.05)


def test_visitors_take_the_first_steps():
    steps = {"look": StepCost(1.0), "pay": StepCost(2.0, afterwards=3.0)}
    observed = Model(Machines(1)).simulate(steps, [Visit(0.0, [5.0]), Visit(100.0, [5.0, 5.0])])
    assert {name: len(times) for name, times in observed.waits.items()} == {"look": 2, "pay": 1}


def test_scaled_cost_has_more_work_of_the_programs_but_no_more_statements():
    cost = StepCost(2.0, postgres=1.0, elsewhere=3.0, afterwards=4.0, statements=8)
    scaled = cost.scaled({"processes": 1.5, "postgres": 2.0})
    assert scaled == StepCost(3.0, postgres=2.0, elsewhere=3.0, afterwards=6.0, statements=8)
    assert scaled.work == {"processes": 9.0, "postgres": 2.0, "redis": 0.0, "nginx": 0.0}


def test_same_seed_gives_same_visitors():
    first, second = (list(visits(Random(5), 10, 20, 400, [8, 2, 2])) for _ in range(2))
    assert first == second
    assert {len(each.pauses) for each in first} == {8, 2}
