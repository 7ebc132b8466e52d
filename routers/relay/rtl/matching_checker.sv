// routers/relay/rtl/matching_checker.sv: Matching Checker, whether a destination is the local processor.
// SPDX-License-Identifier: Apache-2.0

// Source: Lan 1988, section 6.5.4
module matching_checker #(
  parameter int unsigned DIMENSIONS = 3
) (
  input  logic [DIMENSIONS-1:0] relative,
  output logic                  at_home
);
  assign at_home = ~(|relative);
endmodule
