"""What the studio does not trust: names from files, pages of other sites, an outdated status."""

import numpy as np
import pytest

import limbik as lk
from limbik.studio.exporting import export, file_stem
from limbik.studio.ghosts import ghosts
from limbik.studio.page.sites import check_host, is_loopback, own_site
from limbik.studio.project import from_project, to_project
from limbik.studio.session import Session

ARM = """<robot name="{name}"><link name="a"/><link name="b"/><joint name="j" type="revolute"><parent link="a"/><child link="b"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


@pytest.mark.parametrize("name", ["../out", "/etc/out", "a/b", "..", "x" * 300, "a\\b", "C:out", "\u202egpj"])
def test_a_robots_name_cannot_leave_the_folder(tmp_path, name, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.urdf").write_text(ARM.format(name=name), "utf-8")
    session = Session(lk.load(tmp_path / "arm.urdf"))
    file, content = export(session, "csv")
    assert content and set(file) & set("/\\:") == set() and ".." not in file and len(file) < 80
    assert file == f"{file_stem(session)}.csv"
    assert [path.name for path in tmp_path.iterdir()] == ["arm.urdf"]


@pytest.mark.parametrize(
    "hosts,origins,fine",
    [
        (["127.0.0.1:8080"], ["http://127.0.0.1:8080"], True),
        (["localhost:8080"], ["http://localhost:8080"], True),
        (["[::1]:8080"], ["http://[::1]:8080"], True),
        (["127.0.0.1:8080"], [], True),
        (
            ["evil.example:8080"],
            ["http://evil.example:8080"],
            False,
        ),  # another site's name that resolves to this computer
        (["127.0.0.1:8080"], ["http://evil.example"], False),
        (["127.0.0.1.evil.example:8080"], ["http://127.0.0.1.evil.example:8080"], False),
        (["127.0.0.1:8080", "evil.example"], ["http://evil.example"], False),
        ([], [], False),
    ],
)
def test_only_the_studios_own_page_is_accepted(hosts, origins, fine):
    assert own_site(hosts, origins, only_loopback=True) is fine


def test_a_studio_on_a_public_host_accepts_other_names():
    assert own_site(["lab-pc:8080"], ["http://lab-pc:8080"], only_loopback=False)
    assert not own_site(["lab-pc:8080"], ["http://evil.example"], only_loopback=False)
    assert is_loopback("127.3.2.1") and not is_loopback("0.0.0.0") and not is_loopback("evil.example")
    with pytest.raises(lk.BadOption, match="not a name or address"):
        check_host("not a host")


@pytest.fixture
def far():
    session = Session(lk.load("ur5"))
    session.set_key(0.0)
    session.random(1)
    session.set_key(1.0)
    T = session.target("tip")
    T[:3, 3] += 3.0
    session.drag("tip", T)
    assert not session.report.ok
    return session


def test_out_of_reach_is_kept_by_undo_and_redo(far):
    missing = far.report.position_error
    far.undo()
    assert far.report.ok
    far.redo()
    assert not far.report.ok and far.report.position_error == pytest.approx(missing)


def test_a_project_with_a_target_out_of_reach_reports_it(far):
    other = Session(lk.load("ur5"))
    other.take_state(from_project(to_project(far), other.robot))
    assert not other.report.ok and other.report.position_error > 1.0


def test_a_removed_target_does_not_count(far):
    far.scrub(0.5)
    assert far.report.ok and far.report.status is None and "playhead" in far.report.why


def test_the_first_tip_of_a_figure_is_a_hand():
    assert Session(lk.load("human")).tips[0] == "leftHand"
    assert "head" in Session(lk.load("human")).tips


def test_few_joints_reach_a_position_at_any_orientation():
    session = Session(lk.load("maximum_one"))
    arm, tip = session.robot, session.tips[0]
    rng = np.random.default_rng(0)
    for _ in range(20):
        goal = arm.forward(arm.sample(rng), tip)
        T = np.eye(4)
        T[:3, 3] = goal[:3, 3]
        report = session.drag(tip, T)
        assert report.ok and np.linalg.norm(arm.forward(session.q, tip)[:3, 3] - T[:3, 3]) < 1e-5
        assert ghosts(session, tip).present >= 0, "the gizmo turns with the hand, so that the posture holds it"
