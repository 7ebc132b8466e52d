// routers/relay/rtl/maxc.sv: MAXC, whose active line is the number of bits in the fullest column.
// SPDX-License-Identifier: Apache-2.0

// s*_l = OR of c_jl over the columns j; s_m = s*_m; s_l = s*_l AND NOT (OR of s*_p, l < p <= m).
// The equation as printed ends at n - 1 where m is meant, and s_l is printed for l up to n - 2:
// for n = 3 and m = 4 it is wrong for 2765 of the 4096 contents of the Store.
// Source: Lan 1988, section 6.6.2, Fig. 6.8
module maxc #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4
) (
  input  logic [DIMENSIONS*(ROWS+1)-1:0] lines,  // of column j from bit j * (ROWS + 1)
  output logic [ROWS:0]                  highest
);
  logic [ROWS:0] found;  // s*

  always_comb begin
    found = '0;
    for (int j = 0; j < DIMENSIONS; j++) found |= lines[j*(ROWS+1)+:ROWS+1];
  end

  assign highest[ROWS] = found[ROWS];
  for (genvar l = 0; l < ROWS; l++) begin : below
    assign highest[l] = found[l] & ~(|found[ROWS:l+1]);
  end
endmodule
