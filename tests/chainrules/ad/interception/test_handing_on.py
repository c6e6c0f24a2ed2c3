"""What functions hand on are the very objects that they were given."""

import numpy as np
import pytest

from tests.chainrules.ad.interception.programs_that_hand_objects_on import PROGRAMS_THAT_HAND_OBJECTS_ON
from tests.chainrules.ad.writing.programs import check_program


@pytest.mark.parametrize("program", PROGRAMS_THAT_HAND_OBJECTS_ON, ids=lambda f: f.__name__)
def test_programs(program):
    """Assigned to, they change for all who hold them."""
    check_program(lambda x, _: program(x), np.array([0.7, 1.3, 2.1]))
