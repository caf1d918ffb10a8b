"""Ctrl-C is heard also where the tests were started in the background of a shell, which lets its programs ignore it."""
import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
