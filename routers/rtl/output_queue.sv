// routers/rtl/output_queue.sv: flits of a virtual channel that wait at an output.
// SPDX-License-Identifier: Apache-2.0

// In a cycle the front is taken first, then a flit is put, then `due` and `front` are observed.
// Reset does not reach the data; none is observed before it was written.
module output_queue #(
  parameter int WIDTH = 16,
  parameter int DEPTH = 1,
  parameter int DELAY = 0  // from a put to the first cycle in which the flit is due
) (
  input  logic             clk,
  input  logic             reset,
  input  logic             take,  // never from an empty queue
  input  logic             put,   // only with space
  input  logic [WIDTH-1:0] flit,
  output logic             space,  // after the take
  output logic             due,    // of the front
  output logic [WIDTH-1:0] front
);
  localparam int COUNT = $clog2(DEPTH + 1);

  // Slot 0 is the front; the others move up.
  logic [DEPTH*WIDTH-1:0] slots;
  logic [DEPTH*WIDTH-1:0] moved;  // after the take
  logic [DEPTH*WIDTH-1:0] after;  // and the put
  logic [COUNT-1:0] count;
  logic [COUNT-1:0] left;  // after the take

  assign left = count - COUNT'(take);
  assign space = left != COUNT'(DEPTH);
  assign moved = take ? slots >> WIDTH : slots;
  for (genvar i = 0; i < DEPTH; i = i + 1) begin : slot
    assign after[i*WIDTH+:WIDTH] =
        put && left == COUNT'(i) ? flit : moved[i*WIDTH+:WIDTH];
  end
  assign front = after[WIDTH-1:0];

  always_ff @(posedge clk) slots <= after;
  always_ff @(posedge clk)
    if (reset) count <= '0;
    else count <= left + COUNT'(put);

  if (DELAY == 0) begin : at_once
    assign due = left != '0 || put;
  end else begin : later
    logic comes;
    logic unused_data;
    logic [COUNT-1:0] ripe;
    logic [COUNT-1:0] ripe_now;
    logic unused;
    delay_line #(.CYCLES(DELAY)) growth (
      .clk(clk), .reset(reset), .in_valid(put), .in_data(1'b0), .out_valid(comes),
      .out_data(unused_data)
    );
    assign unused = &{1'b0, unused_data};
    assign ripe_now = ripe + COUNT'(comes) - COUNT'(take);
    assign due = ripe_now != '0;
    always_ff @(posedge clk)
      if (reset) ripe <= '0;
      else ripe <= ripe_now;
  end
endmodule
