// routers/relay/rtl/adsc.sv: ADSC, which rows have a bit in the selected column.
// SPDX-License-Identifier: Apache-2.0

// r_i = OR of (a_ij AND y_j) over the dimensions j. Row i of the source is bit i - 1.
// Source: Lan 1988, section 6.6.4
module adsc #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4
) (
  input  logic [ROWS*DIMENSIONS-1:0] rows,  // row i from bit i * DIMENSIONS
  input  logic [DIMENSIONS-1:0]      selected,
  output logic [ROWS-1:0]            sublist
);
  for (genvar i = 0; i < ROWS; i++) begin : row
    assign sublist[i] = |(rows[i*DIMENSIONS+:DIMENSIONS] & selected);
  end
endmodule
