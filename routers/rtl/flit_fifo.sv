// routers/rtl/flit_fifo.sv: the buffer of a virtual channel.
// SPDX-License-Identifier: Apache-2.0

// A flit that is put into an empty buffer is at the front in the same cycle, and may be taken. The
// data of the buffer are the only registers that reset does not reach; none is read before it was
// written.
module flit_fifo #(
  parameter int WIDTH = 16,
  parameter int DEPTH = 4,
  parameter int BYPASS = 1,  // 1: `front` is valid in the cycle of a put, too
  parameter int DELAY = 0    // from a put to the first cycle in which the flit is `mature`
) (
  input  logic             clk,
  input  logic             reset,
  input  logic             put,  // never into a full buffer
  input  logic [WIDTH-1:0] flit,
  input  logic             take,  // only while `occupied`
  output logic             occupied,  // a flit is at the front, perhaps that of this cycle
  output logic             mature,    // the front has been there for DELAY cycles
  output logic [WIDTH-1:0] front,
  output logic             remains,  // flits will be left after this cycle's take
  output logic             has_slot  // a slot will be free after this cycle
);
  localparam int INDEX = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam int COUNT = $clog2(DEPTH + 1);

  logic [WIDTH-1:0] slots [0:DEPTH-1];
  logic [INDEX-1:0] first;
  logic [INDEX-1:0] next;  // the slot of the next put
  logic [COUNT-1:0] count;
  logic [COUNT-1:0] left;

  assign occupied = count != '0 || put;
  assign left = count + COUNT'(put) - COUNT'(take);
  assign remains = left != '0;
  assign has_slot = left != COUNT'(DEPTH);

  if (BYPASS != 0) begin : bypass
    assign front = count != '0 ? slots[first] : flit;
  end else begin : stored
    assign front = slots[first];
  end

  always_ff @(posedge clk) if (put) slots[next] <= flit;
  always_ff @(posedge clk)
    if (reset) begin
      first <= '0;
      next <= '0;
      count <= '0;
    end else begin
      if (take) first <= first == INDEX'(DEPTH - 1) ? '0 : first + INDEX'(1);
      if (put) next <= next == INDEX'(DEPTH - 1) ? '0 : next + INDEX'(1);
      count <= left;
    end

  if (DELAY == 0) begin : at_once
    assign mature = occupied;
  end else if (DELAY == 1) begin : next_cycle
    assign mature = count != '0;
  end else begin : later
    logic grown;
    logic unused_data;
    logic [COUNT-1:0] ready;  // flits that are mature from this cycle on
    delay_line #(.CYCLES(DELAY - 1)) growth (
      .clk(clk), .reset(reset), .in_valid(put), .in_data(1'b0), .out_valid(grown),
      .out_data(unused_data)
    );
    always_ff @(posedge clk)
      if (reset) ready <= '0;
      else ready <= ready + COUNT'(grown) - COUNT'(take);
    assign mature = ready != '0;
    logic unused;
    assign unused = &{1'b0, unused_data};
  end
endmodule
