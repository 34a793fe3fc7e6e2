"""Files of poses: a header names the columns, and invalid content raises an error with its line."""

import numpy as np
import pytest

import limbik as lk
from limbik import Path
from limbik.geometry.se3 import from_rpy


def read(tmp_path, text):
    file = tmp_path / "poses.csv"
    file.write_text(text)
    return Path.from_csv(file)


END = from_rpy((1, 2, 3), (0, 0, np.pi / 2))


@pytest.mark.parametrize(
    "text",
    [
        "0,0,0,0,0,0\n1,2,3,0,0,90\n",
        "yaw,pitch,roll,z,y,x\n0,0,0,0,0,0\n90,0,0,3,2,1\n",
        "X, Y, Z, Roll [deg], Pitch [deg], Yaw [deg]\n0,0,0,0,0,0\n1,2,3,0,0,90\n",
        "x,y,z,roll [rad],pitch [rad],yaw [rad]\n0,0,0,0,0,0\n1,2,3,0,0,1.5707963267948966\n",
        "qx,qy,qz,qw,x,y,z\n0,0,0,1,0,0,0\n0,0,0.7071067811865476,0.7071067811865476,1,2,3\n",
        "x y z roll pitch yaw\n0 0 0 0 0 0\n1 2 3 0 0 90\n",
        "x;y;z;roll;pitch;yaw\n0;0;0;0;0;0\n1;2;3;0;0;90\n",
        "0,0,0,0,0,0,\n1,2,3,0,0,90,\n",
        "m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n1,0,0,0,0,1,0,0,0,0,1,0\n0,-1,0,1,1,0,0,2,0,0,1,3\n",
    ],
    ids=["bare", "reversed", "units", "radians", "quaternion", "blanks", "semicolons", "last commas", "matrix"],
)
def test_columns_are_read_as_they_are_named(tmp_path, text):
    path = read(tmp_path, text)
    assert np.allclose(path.start, np.eye(4)) and np.allclose(path.end, END)


@pytest.mark.parametrize(
    "text",
    [
        "x,y,time,z,roll,pitch,yaw\n0,0,0,0,0,0,0\n1,2,4,3,0,0,90\n",
        "x,y,z,roll,pitch,yaw,t [s]\n0,0,0,0,0,0,0\n1,2,3,0,0,90,4\n",
    ],
)
def test_times_may_be_in_any_column(tmp_path, text):
    path = read(tmp_path, text)
    assert path.duration == pytest.approx(4.0) and np.allclose(path.end, END)


@pytest.mark.parametrize(
    "text,message",
    [
        ("x,y,z,a,b,c\n0,0,0,0,0,0\n1,0,0,0,0,0\n", "line 1: unknown column 'a'"),
        ("x,y,z,roll,pitch\n0,0,0,0,0\n1,0,0,0,0\n", "line 1"),
        ("x,y,y,roll,pitch,yaw\n0,0,0,0,0,0\n1,0,0,0,0,0\n", "line 1"),
        ("x [mm],y,z,roll,pitch,yaw\n0,0,0,0,0,0\n1,0,0,0,0,0\n", "line 1"),
        ("t,time,x,y,z,roll,pitch,yaw\n0,0,0,0,0,0,0,0\n", "line 1"),
        ("x,y,z,qx,qy,qz,qw\n0,0,0,0,0,0,1\n1,0,0,0,0,0,2\n", "line 3"),
        ("0,0,0,1,0,0,0\n1,0,0,0.9,0,0,0\n", "line 2"),
        ("x,y,z,roll,pitch,yaw\n0,0,0,0,0,0\n1,0,0,0,0\n", "line 3"),
        ("0,0,0,0,0,0\n1,0,nan,0,0,0\n", "line 2"),
        ("0,0,0,0,0,0\n\n1,0,0,0,a,0\n", "line 3"),
        ("0.1,0.2,0.3,1,0,0,0\n0.5,0.2,,1,0,0,0\n", "line 2 has an empty cell"),
        ("1,0,0,0,0,1,0,0,0,0,1,0\n2,0,0,0,0,1,0,0,0,0,1,0\n", "line 2"),
    ],
)
def test_invalid_content_raises_with_its_line(tmp_path, text, message):
    with pytest.raises(lk.LimbikError, match=message):
        read(tmp_path, text)
