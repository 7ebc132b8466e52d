// routers/relay/rtl/data_buffer.sv: Data Buffer, the fields of a message that are forwarded unchanged.
// SPDX-License-Identifier: Apache-2.0

// A queue for one message of the greatest length, which every branch reads independently. A field is
// removed when all branches have read it, and no further branch will be opened.
// Timing: written at the rising edge of clk; read from then on, combinationally. Reset is synchronous.
// Source: Lan 1988, section 6.4.2; that branches read concurrently is ours
module data_buffer #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned DEPTH = 72,  // fields. Range: 2 and more
  parameter int unsigned OUTPUTS = DIMENSIONS + 1,
  parameter int unsigned POINTER = $clog2(DEPTH + 1)
) (
  input  logic                          clk,
  input  logic                          reset,
  input  logic                          write,
  input  logic [DIMENSIONS-1:0]         field,
  input  logic                          last,
  input  logic                          clear,
  input  logic                          closed,  // no further branch will be opened
  input  logic [OUTPUTS*POINTER-1:0]    taken,   // fields that each branch has read
  input  logic [OUTPUTS-1:0]            opened,  // the branch is open
  output logic [OUTPUTS*DIMENSIONS-1:0] front,   // the field that the branch reads next
  output logic [OUTPUTS-1:0]            ends,    // that field is the message's last
  output logic [POINTER-1:0]            level    // stored fields
);
  localparam int unsigned ADDRESS = $clog2(DEPTH);

  logic [DIMENSIONS-1:0] memory [DEPTH];
  logic [POINTER-1:0] written;
  logic whole;

  always_ff @(posedge clk) begin
    if (reset || clear) begin
      written <= '0;
      whole <= 1'b0;
    end else if (write) begin
      written <= written + 1'b1;
      whole <= last;
    end
  end

  always_ff @(posedge clk) begin
    if (write && !clear) memory[written[ADDRESS-1:0]] <= field;
  end

  for (genvar b = 0; b < OUTPUTS; b++) begin : branch
    logic [POINTER-1:0] next;
    logic there;
    assign next = taken[b*POINTER+:POINTER];
    assign there = next < written;
    assign front[b*DIMENSIONS+:DIMENSIONS] = there ? memory[next[ADDRESS-1:0]] : '0;
    assign ends[b] = there && whole && next + 1'b1 == written;
  end

  // Fields that no branch needs any more are those before the slowest branch.
  logic [POINTER-1:0] slowest;
  always_comb begin
    slowest = closed ? written : '0;
    for (int b = 0; b < OUTPUTS; b++)
      if (opened[b] && taken[b*POINTER+:POINTER] < slowest) slowest = taken[b*POINTER+:POINTER];
  end
  assign level = written - slowest;
endmodule
