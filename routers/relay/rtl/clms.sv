// routers/relay/rtl/clms.sv: CLMS, which dimension is selected: the lowest of the fullest columns.
// SPDX-License-Identifier: Apache-2.0

// y*_j = OR of (c_jl AND s_l) over the lines l; y_0 = y*_0; y_j = y*_j AND NOT (OR of y*_p, p < j).
// The equation is printed as y*_j OR y_j .. y*_p, its complement and its range being lost.
// Source: Lan 1988, section 6.6.3, Fig. 6.9
module clms #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4
) (
  input  logic [DIMENSIONS*(ROWS+1)-1:0] lines,  // of column j from bit j * (ROWS + 1)
  input  logic [ROWS:0]                  highest,
  output logic [DIMENSIONS-1:0]          selected
);
  logic [DIMENSIONS-1:0] fullest;  // y*

  for (genvar j = 0; j < DIMENSIONS; j++) begin : column
    assign fullest[j] = |(lines[j*(ROWS+1)+:ROWS+1] & highest);
  end

  assign selected[0] = fullest[0];
  for (genvar j = 1; j < DIMENSIONS; j++) begin : above
    assign selected[j] = fullest[j] & ~(|fullest[j-1:0]);
  end
endmodule
