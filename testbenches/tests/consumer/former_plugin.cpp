// testbenches/tests/consumer/former_plugin.cpp: a plug-in of an earlier version, which needs a
// function that this one does not have.
// SPDX-License-Identifier: Apache-2.0
extern "C" {
extern const char flitwave_plugin_version[];
const char flitwave_plugin_version[] = "0.0.9";
void flitwave_former_function();
void flitwave_plugin_add(void*) { flitwave_former_function(); }
}
