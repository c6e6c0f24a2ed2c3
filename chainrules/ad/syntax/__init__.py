"""The syntax of a program, compiled a second time with calls of hooks in the place of operations."""
