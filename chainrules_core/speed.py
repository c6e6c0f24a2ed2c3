"""Names that serve the speed of `chainrules`, without a promise: any release may change or drop them."""

from chainrules_core.backends import STAND_INS, register_stand_in, value_for_dispatch
from chainrules_core.carriers.search import ORDINARY_CLASSES
from chainrules_core.definition.plain_arrays import (
    REAL_CLASSES,
    count_nonzero,
    has_no_zero,
    is_cotangent_of,
    negative_of_few,
    product_of_operands,
    products_of_few,
    same_cotangent,
    sum_of_arrays,
    sum_of_products,
)
from chainrules_core.dispatch.keyword_calls import takes_keywords

__all__ = [
    "ORDINARY_CLASSES",
    "REAL_CLASSES",
    "STAND_INS",
    "count_nonzero",
    "has_no_zero",
    "is_cotangent_of",
    "negative_of_few",
    "product_of_operands",
    "products_of_few",
    "register_stand_in",
    "same_cotangent",
    "sum_of_arrays",
    "sum_of_products",
    "takes_keywords",
    "value_for_dispatch",
]
