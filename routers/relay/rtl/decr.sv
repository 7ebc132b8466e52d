// routers/relay/rtl/decr.sv: DECR, whose active line is the number of bits set in a column.
// SPDX-License-Identifier: Apache-2.0

// Line l is on when l of the rows have a bit in this column: a ones counter and a decoder.
// Source: Lan 1988, section 6.6.1, Fig. 6.7, which prints log2[m + 1] without the ceiling
module decr #(
  parameter int unsigned ROWS = 4
) (
  input  logic [ROWS-1:0] column,
  output logic [ROWS:0]   lines
);
  localparam int unsigned COUNT_BITS = $clog2(ROWS + 1);

  logic [COUNT_BITS-1:0] count;

  ones_counter #(.BITS(ROWS)) counter (.bits(column), .count(count));
  for (genvar l = 0; l <= ROWS; l++) begin : decoder
    assign lines[l] = &(count ~^ COUNT_BITS'(l));
  end
endmodule
