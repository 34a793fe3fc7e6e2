"""Motion capture: estimate a figure's sizes, its posture in every frame, and a smooth motion from markers or sensors."""
