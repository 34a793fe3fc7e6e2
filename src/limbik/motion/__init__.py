"""Motion over time: paths, path following, clips, capture from markers, retargeting and tracking.

>>> import limbik as lk
>>> arm = lk.load("ur5")
>>> T = arm.forward([0.3, -1.2, 1.4, -0.5, 1.0, 0.2])
>>> isinstance(arm.follow(lk.Path.line(T, lk.pose((0.0, 0.0, 0.1)) @ T).with_duration(1.0)), lk.motion.Followed)
True
"""

from typing import TYPE_CHECKING

from limbik.lazy import lazy

if TYPE_CHECKING:
    from limbik.motion.capture.captured import Captured, CapturedLimbs
    from limbik.motion.follow.followed import Followed
    from limbik.motion.measures import Contact
    from limbik.motion.retarget.misses import Missed
    from limbik.motion.retarget.retargeted import Retargeted
    from limbik.motion.track import Step

__all__ = [
    "Captured",
    "CapturedLimbs",
    "Contact",
    "Followed",
    "Missed",
    "Retargeted",
    "Step",
]

HOMES = {
    "Captured": "motion.capture.captured",
    "CapturedLimbs": "motion.capture.captured",
    "Contact": "motion.measures",
    "Followed": "motion.follow.followed",
    "Missed": "motion.retarget.misses",
    "Retargeted": "motion.retarget.retargeted",
    "Step": "motion.track",
}

__getattr__, __dir__ = lazy(__name__, HOMES)
