"""Tables of starts: shared by chains with equal joints and ranges, freed with the last of them, thread-safe."""

import gc
import os
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import limbik as lk
from limbik._core import SeedTable
from limbik.solvers.seed_tables import TABLES


def new_arm():
    """Return an arm of lengths that no other test uses."""
    return lk.load("jaco2").scaled(1.0625)


def tables():
    gc.collect()
    return len(TABLES)


def hard_target(arm):
    """Return a target that needs the table: the attempt from the seed does not converge."""
    T = arm.forward(arm.sample(np.random.default_rng(2), 200))
    return next(t for t in T if arm.solve(t).attempt > 0)


def moved(x):
    T = np.eye(4)
    T[:3, 3] = [0.1, x, 0.2]
    T[:2, :2] = [[0.8, -0.6], [0.6, 0.8]]
    return T


def test_a_copy_with_another_tool_or_base_takes_no_new_table():
    arm = new_arm()
    before = tables()
    T = hard_target(arm)
    assert tables() == before + 1
    copies = [
        arm.with_tool(moved(0.3)),
        arm.with_base(moved(-0.4)),
        arm.with_base(moved(1.0)).with_tool(moved(0.5)),
        pickle.loads(pickle.dumps(arm)),
        new_arm(),
    ]
    for copy in copies:
        key = SeedTable(copy.model.kernel, *(x.tolist() for x in copy.model.ranges.drawing(copy.model.reach.span))).key
        assert TABLES[key].made  # before its first solve
        assert hard_target(copy) is not None
    arm.solve(T, limits=False)
    arm.solve(T, position_tolerance=1e-6)
    assert tables() == before + 1


def test_other_joints_or_ranges_take_their_own():
    arm = new_arm()
    before = tables()
    others = [arm, arm.scaled(1.5), arm.with_limits(-1.0, 1.0), arm.with_frozen({arm.joint_names[2]: 1.0})]
    for copy in others:
        copy.solve(copy.forward(copy.home))
    assert tables() == before + len(others)


def test_sharing_changes_no_answer():
    arm = new_arm()
    T = arm.forward(arm.sample(np.random.default_rng(3), 100))
    tool = moved(0.3)
    shared = arm.with_tool(tool)
    hard_target(arm)
    expected = shared.solve_batch(T @ tool)
    del arm, shared
    gc.collect()
    alone = new_arm().with_tool(tool)
    assert alone.solve_batch(T @ tool) == expected


def test_it_is_freed_with_the_last_chain_that_uses_it():
    arm = new_arm()
    before = tables()
    copy = arm.with_tool(moved(0.3))
    T = hard_target(arm)
    hard_target(copy)
    del arm
    assert tables() == before + 1
    assert copy.solve(T @ moved(0.3)).ok  # the table outlives the chain that built it
    del copy
    assert tables() == before


def test_chains_that_are_not_solved_in_lanes_have_none():
    before = tables()
    hand = lk.load("human").chain("leftHand")
    assert hand.solve(hand.forward(hand.home)).ok and tables() == before


def test_threads_that_race_for_a_table_agree():
    arm = new_arm()
    T = arm.forward(arm.sample(np.random.default_rng(5), 200))
    expected = new_arm().solve_batch(T)
    gc.collect()
    copies = [arm.with_tool(np.eye(4)) for _ in range(8)]
    start = threading.Barrier(8)

    def work(copy):
        start.wait()
        return copy.solve_batch(T)

    with ThreadPoolExecutor(8) as pool:
        assert all(np.array_equal(batch.q, expected.q) for batch in pool.map(work, copies))


def test_a_process_forked_while_a_table_is_made_is_not_stuck():
    arm = new_arm()
    T = arm.forward(arm.sample(np.random.default_rng(6), 400))
    for k in range(4):
        fresh = arm.scaled(1 + 0.01 * (k + 1))
        targets = np.array(T)
        targets[:, :3, 3] *= 1 + 0.01 * (k + 1)
        worker = threading.Thread(target=fresh.solve_batch, args=(targets,))
        worker.start()
        child = os.fork()
        if child == 0:
            ok = fresh.solve_batch(targets).ok.all()
            os._exit(0 if ok else 1)
        worker.join()
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
