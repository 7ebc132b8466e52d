// routers/relay/rtl/flag_sequencer.sv: takes the Broadcaster's flags one by one, lowest first.
// SPDX-License-Identifier: Apache-2.0

// Timing: `next` and `left` are combinational; an edge with `cycle` serves the next flag, `clear` marks
// all as not served.
// Source: ours; Lan 1988 leaves open in which order the flags are served
module flag_sequencer #(
  parameter int unsigned DIMENSIONS = 3
) (
  input  logic                  clk,
  input  logic [DIMENSIONS-1:0] flags,
  input  logic                  cycle,
  input  logic                  clear,
  output logic [DIMENSIONS-1:0] next,  // one-hot, or 0
  output logic                  left
);
  logic [DIMENSIONS-1:0] served;
  logic [DIMENSIONS-1:0] waiting;

  assign waiting = flags & ~served;
  assign left = |waiting;
  assign next = waiting & (~waiting + 1'b1);

  always_ff @(posedge clk) begin
    if (clear) served <= '0;
    else if (cycle) served <= served | next;
  end
endmodule
