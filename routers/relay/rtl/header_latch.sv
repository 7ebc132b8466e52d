// routers/relay/rtl/header_latch.sv: the number of destinations, and which block serves them.
// SPDX-License-Identifier: Apache-2.0

// Timing: at the rising edge of clk with `field_k`. Reset is synchronous.
// Source: Lan 1988, sections 6.5.3 and 6.7: without a Broadcaster there is no Type Checker, and the
// Multicaster serves every message
module header_latch #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4,
  parameter bit BROADCASTER = 1'b1
) (
  input  logic                  clk,
  input  logic                  reset,
  input  logic [DIMENSIONS-1:0] field,
  input  logic                  field_k,
  output logic [DIMENSIONS-1:0] k,
  output logic                  multicast,  // 1: the Multicaster; 0: the Broadcaster
  output logic                  everybody   // for all nodes: there are no addresses
);
  logic greedily;

  if (BROADCASTER) begin : checked
    logic few;
    type_checker #(.DIMENSIONS(DIMENSIONS), .ROWS(ROWS)) type_checker (.k(field), .multicast(few));
    assign greedily = few && !(&field);
  end else begin : always_greedily
    assign greedily = 1'b1;
  end

  always_ff @(posedge clk) begin
    if (reset) begin
      k <= '0;
      multicast <= 1'b0;
      everybody <= 1'b0;
    end else if (field_k) begin
      k <= field;
      multicast <= greedily;
      everybody <= &field;
    end
  end
endmodule
