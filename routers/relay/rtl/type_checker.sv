// routers/relay/rtl/type_checker.sv: Type Checker, whether the Multicaster serves k destinations.
// SPDX-License-Identifier: Apache-2.0

// Source: Lan 1988, section 6.5.3
module type_checker #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4
) (
  input  logic [DIMENSIONS-1:0] k,
  output logic                  multicast
);
  if (ROWS + 1 < 2 ** DIMENSIONS) begin : compared
    assign multicast = k <= DIMENSIONS'(ROWS);
  end else begin : all
    logic unused;
    assign unused = &{1'b0, k};
    assign multicast = 1'b1;
  end
endmodule
