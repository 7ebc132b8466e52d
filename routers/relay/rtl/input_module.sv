// routers/relay/rtl/input_module.sv: Input Module, counts the fields of a message and marks their kinds.
// SPDX-License-Identifier: Apache-2.0

// k is the first field; k addresses follow, unless the message is for all nodes; the next field is the
// source or a Control vector; the others are data.
// Timing: the strobes are combinational, before the edge at which the field is latched; `message_done`
// rises at the edge of the last field and falls with `clear`. Reset is synchronous.
// Source: Lan 1988, section 6.4.2
module input_module #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4
) (
  input  logic                        clk,
  input  logic                        reset,
  input  logic                        valid,
  input  logic                        eom,
  input  logic [DIMENSIONS-1:0]       k,          // of the header latch
  input  logic                        everybody,  // of the header latch
  input  logic                        clear,
  output logic                        field_k,
  output logic                        field_destination,
  output logic                        field_source,
  output logic                        field_data,
  output logic [$clog2(ROWS + 1)-1:0] index,  // row of the Store, from 1; its last for further ones
  output logic                        message_done
);
  localparam int unsigned INDEX_BITS = $clog2(ROWS + 1);
  localparam int unsigned NUMBER_BITS = DIMENSIONS + 1;
  localparam int unsigned WIDE = NUMBER_BITS > INDEX_BITS ? NUMBER_BITS : INDEX_BITS;

  logic [NUMBER_BITS-1:0] number;  // fields of the header that have arrived
  logic [NUMBER_BITS-1:0] listed;  // addresses
  logic [WIDE-1:0] row;
  logic address;

  assign listed = everybody ? '0 : {1'b0, k};
  assign address = number != '0 && number <= listed;
  assign field_k = valid && number == '0;
  assign field_destination = valid && address;
  assign field_source = valid && number == listed + 1'b1;
  assign field_data = valid && number > listed + 1'b1;

  assign row = !address ? '0 : WIDE'(number) > WIDE'(ROWS) ? WIDE'(ROWS) : WIDE'(number);
  assign index = row[INDEX_BITS-1:0];
  if (WIDE > INDEX_BITS) begin : narrow
    logic unused;
    assign unused = &{1'b0, row[WIDE-1:INDEX_BITS]};
  end

  always_ff @(posedge clk) begin
    if (reset || clear) begin
      number <= '0;
      message_done <= 1'b0;
    end else if (valid) begin
      if (!field_data) number <= number + 1'b1;
      if (eom) message_done <= 1'b1;
    end
  end
endmodule
