"""Load your own URDF: what was read, which assumptions were made, which chain is selected."""

import numpy as np

import limbik as lk

URDF = """
<robot name="desk_lamp">
  <link name="base"/> <link name="turntable"/> <link name="lower"/> <link name="upper"/> <link name="head"/> <link name="bulb"/>
  <joint name="turn" type="continuous"><parent link="base"/><child link="turntable"/><axis xyz="0 0 1"/></joint>
  <joint name="shoulder" type="revolute"><parent link="turntable"/><child link="lower"/><origin xyz="0 0 .1"/>
    <axis xyz="0 1 0"/><limit lower="-1.2" upper="1.2" velocity="2" effort="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="lower"/><child link="upper"/><origin xyz="0 0 .4"/>
    <axis xyz="0 1 0"/><limit lower="0" upper="2.6" velocity="2" effort="1"/></joint>
  <joint name="nod" type="revolute"><parent link="upper"/><child link="head"/><origin xyz="0 0 .4"/><axis xyz="0 1 0"/></joint>
  <joint name="socket" type="fixed"><parent link="head"/><child link="bulb"/><origin xyz="0 0 .12" rpy="0 3.14159265 0"/></joint>
</robot>
"""

lamp = lk.load(URDF)  # or lk.load("lamp.urdf", tip="bulb")
print(lamp)
print("structure:", lamp.structure)
for note in lamp.notes:
    print("note:", note)

q = np.array([0.3, 0.4, 1.1, 0.5])
answer = lamp.solve(lamp.forward(q), seed=[0, 0, 1, 0])
print(answer.why, answer.q.round(6))
