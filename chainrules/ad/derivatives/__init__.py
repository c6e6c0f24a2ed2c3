"""What users call: gradients, products with Jacobians, whole Jacobians, and reports about them."""
