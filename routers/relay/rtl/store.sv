// routers/relay/rtl/store.sv: Store, the relative destinations and the relative source of a message.
// SPDX-License-Identifier: Apache-2.0

// ROWS + 1 rows of flip-flops. A row is written from `relative`; `row_clear` empties rows.
// Timing: both at the rising edge of clk; a write has precedence. Reset is synchronous.
// Source: Lan 1988, section 6.5.2, Fig. 6.4
module store #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4
) (
  input  logic                        clk,
  input  logic                        clear_all,
  input  logic [DIMENSIONS-1:0]       relative,
  input  logic                        write_destination,
  input  logic [$clog2(ROWS + 1)-1:0] index,  // 1 .. ROWS, as the source counts rows
  input  logic                        write_source,
  input  logic [ROWS-1:0]             row_clear,
  output logic [ROWS*DIMENSIONS-1:0]  rows,  // row i from bit i * DIMENSIONS
  output logic [DIMENSIONS-1:0]       source
);
  localparam int unsigned INDEX_BITS = $clog2(ROWS + 1);

  for (genvar i = 0; i < ROWS; i++) begin : row
    always_ff @(posedge clk) begin
      if (clear_all) rows[i*DIMENSIONS+:DIMENSIONS] <= '0;
      else if (write_destination && index == INDEX_BITS'(i + 1))
        rows[i*DIMENSIONS+:DIMENSIONS] <= relative;
      else if (row_clear[i]) rows[i*DIMENSIONS+:DIMENSIONS] <= '0;
    end
  end

  always_ff @(posedge clk) begin
    if (clear_all) source <= '0;
    else if (write_source) source <= relative;
  end
endmodule
