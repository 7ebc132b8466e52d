// testbenches/tests/consumer/former_plugin.cpp: a plug-in of an earlier version.
// SPDX-License-Identifier: Apache-2.0
extern "C" {
extern const char flitwave_plugin_version[];
const char flitwave_plugin_version[] = "0.0.9";
void flitwave_plugin_add(void*) {}
}
