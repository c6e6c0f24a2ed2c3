"""Recording a program: values that write down what is done with them, and the program that is generated."""
