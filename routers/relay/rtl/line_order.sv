// routers/relay/rtl/line_order.sv: records the order in which requesters arrived.
// SPDX-License-Identifier: Apache-2.0

// A register for each member: its position in the line, from 1; 0 when it is not in the line. Positions
// move up as members leave.
// Timing: `first` is combinational; of members that arrive in the same cycle the lowest comes first, or
// the highest with HIGHEST_FIRST. Reset is synchronous.
// Source: ours
module line_order #(
  parameter int unsigned MEMBERS = 4,
  parameter bit HIGHEST_FIRST = 1'b0
) (
  input  logic               clk,
  input  logic               reset,
  input  logic [MEMBERS-1:0] present,
  output logic [MEMBERS-1:0] first  // one-hot, or 0
);
  localparam int unsigned BITS = $clog2(MEMBERS + 1);

  logic [BITS-1:0] turn [MEMBERS];
  logic [MEMBERS*MEMBERS-1:0] precedes;  // member a is present and before member b, at a * MEMBERS + b

  for (genvar a = 0; a < MEMBERS; a++) begin : member
    for (genvar b = 0; b < MEMBERS; b++) begin : other
      localparam bit SOONER = HIGHEST_FIRST ? a > b : a < b;
      if (a == b) begin : itself
        assign precedes[a*MEMBERS+b] = 1'b0;
      end else begin : compared
        assign precedes[a*MEMBERS+b] = present[a] && (turn[a] == '0 ? turn[b] == '0 && SOONER
                                                      : turn[b] == '0 || turn[a] < turn[b]);
      end
    end

    logic [BITS-1:0] position;
    always_comb begin
      position = BITS'(1);
      for (int c = 0; c < MEMBERS; c++) if (precedes[c*MEMBERS+a]) position = position + 1'b1;
    end
    assign first[a] = present[a] && position == BITS'(1);
    always_ff @(posedge clk) begin
      if (reset || !present[a]) turn[a] <= '0;
      else turn[a] <= position;
    end
  end
endmodule
