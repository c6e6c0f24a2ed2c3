"""Objects of `scipy.spatial` as structures."""

import subprocess
import sys

import numpy as np
from scipy.spatial import ConvexHull, KDTree, Voronoi
from scipy.spatial.transform import Rotation

from chainrules.values.spatial_objects import FIELDS_OF_HULL
from chainrules_core import Tangent

POINTS = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]])


def test_moved_objects():
    """A tangent moves the points of a tree, a hull and a diagram, and the quaternion of a rotation."""
    tree = KDTree(POINTS) + Tangent[KDTree](data=POINTS)
    hull = ConvexHull(POINTS) + Tangent[ConvexHull](points=POINTS)
    diagram = Voronoi(POINTS) + Tangent[Voronoi](points=POINTS)
    turn = Rotation.identity() + Tangent[Rotation](quat=np.array([1.0, 0.0, 0.0, 0.0]))

    assert np.array_equal(tree.data, 2 * POINTS)
    assert np.isclose(hull.volume, 4.0)
    assert np.allclose(diagram.vertices, 2 * Voronoi(POINTS).vertices)
    assert "volume" in FIELDS_OF_HULL
    assert np.allclose(turn.as_quat(), np.sqrt([0.5, 0.0, 0.0, 0.5]))


def test_before_their_rules():
    """A rule of anything else is enough for them to be known."""
    program = """
import numpy as np, chainrules
from chainrules_core import Tangent, rrule
from scipy.spatial import KDTree
rrule(np.sin, 1.0)
print((KDTree(np.eye(2)) + Tangent[KDTree](data=np.eye(2))).data[0, 0])
"""
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert finished.stdout == "2.0\n", finished.stderr
