// testbenches/tests/consumer/no_plugin.cpp: a shared library that is no plug-in.
// SPDX-License-Identifier: Apache-2.0
extern "C" int nothing() { return 0; }
