// routers/relay/rtl/decr_f.sv: DECR of the fault-tolerant router, whose decoder is gated.
// SPDX-License-Identifier: Apache-2.0

// For a dimension whose neighbour is faulty no line is on, not even line 0.
// Source: Lan 1988, section 7.4, Fig. 7.9
module decr_f #(
  parameter int unsigned ROWS = 4
) (
  input  logic [ROWS-1:0] column,
  input  logic            faulty,
  output logic [ROWS:0]   lines
);
  logic [ROWS:0] counted;

  decr #(.ROWS(ROWS)) counter (.column(column), .lines(counted));
  assign lines = counted & {(ROWS + 1) {~faulty}};
endmodule
