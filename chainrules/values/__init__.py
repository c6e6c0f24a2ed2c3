"""The vocabulary of rules: operands, axes of reductions, stacks of matrices, containers, several results."""
