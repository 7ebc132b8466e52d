// testbenches/tests/rtl/designs/field_router.sv: a router whose ports are unpacked arrays, with pins
// for each field of a flit, and requests that wait for an acknowledge.
// SPDX-License-Identifier: Apache-2.0
module field_router #(
  parameter int ON_REQUEST = 0  // 1: acknowledges a request in the cycle after it, else in advance
) (
  input  logic        clock,
  input  logic        running,  // low during reset
  input  logic [3:0]  column,
  input  logic [3:0]  row,

  input  logic        request_in[5],
  output logic        acknowledge_in[5],
  input  logic        last_in[5],
  input  logic [3:0]  column_in[5],
  input  logic [3:0]  row_in[5],
  input  logic [7:0]  tag_in[5],
  input  logic [11:0] data_in[5],

  output logic        request_out[5],
  input  logic        acknowledge_out[5],
  output logic        last_out[5],
  output logic [3:0]  column_out[5],
  output logic [3:0]  row_out[5],
  output logic [7:0]  tag_out[5],
  output logic [11:0] data_out[5]
);
  localparam int WIDTH = 31;

  logic [4:0] in_valid, in_ready, out_valid, out_ready;
  logic [5*WIDTH-1:0] in_flit, out_flit;

  wormhole_ready_valid #(.FLIT_WIDTH(WIDTH)) router (
    .clk(clock), .reset(!running), .here({row, column}), .size(8'd0), .in_valid(in_valid),
    .in_flit(in_flit), .in_ready(in_ready), .out_valid(out_valid), .out_flit(out_flit),
    .out_ready(out_ready)
  );

  // The order of the fields in the word: data, tag, row, column, two bits that nothing reads, last.
  for (genvar p = 0; p < 5; p = p + 1) begin : port
    if (ON_REQUEST != 0) begin : on_request
      logic acknowledge;
      always_ff @(posedge clock)
        acknowledge <= running && request_in[p] && in_ready[p] && !acknowledge;
      assign acknowledge_in[p] = acknowledge;
      assign in_valid[p] = request_in[p] && acknowledge;
    end else begin : in_advance
      assign acknowledge_in[p] = in_ready[p];
      assign in_valid[p] = request_in[p];
    end
    assign in_flit[p*WIDTH+:WIDTH] =
      {data_in[p], tag_in[p], row_in[p], column_in[p], 2'b00, last_in[p]};
    assign request_out[p] = out_valid[p];
    assign out_ready[p] = acknowledge_out[p];
    logic [1:0] spare;
    assign {data_out[p], tag_out[p], row_out[p], column_out[p], spare, last_out[p]} =
      out_flit[p*WIDTH+:WIDTH];
    logic unused;
    assign unused = &{1'b0, spare};
  end
endmodule
