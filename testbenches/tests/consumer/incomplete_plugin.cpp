// testbenches/tests/consumer/incomplete_plugin.cpp: a plug-in that needs a function of no program.
// SPDX-License-Identifier: Apache-2.0
extern "C" {
extern const char flitwave_plugin_version[];
const char flitwave_plugin_version[] = FLITWAVE_VERSION;
void flitwave_unknown_function();
void flitwave_plugin_add(void*) { flitwave_unknown_function(); }
}
