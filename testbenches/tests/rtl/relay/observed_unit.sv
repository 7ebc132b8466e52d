// testbenches/tests/rtl/relay/observed_unit.sv: a message handling unit in Verilog, with what is inside it.
// SPDX-License-Identifier: Apache-2.0

// Element b of an array is of output b.
module observed_unit #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4,
  parameter int unsigned DATA = 64,
  parameter int unsigned FIELD_CYCLES = 1,
  parameter int unsigned SELECTION_CYCLES = 10,
  parameter int unsigned ANSWER_CYCLES = 0,
  parameter bit BROADCASTER = 1'b1,
  parameter bit FAULT_TOLERANT = 1'b0,
  parameter bit STORES = 1'b0,
  parameter bit SEQUENTIAL = 1'b0,
  parameter bit SERIAL = 1'b0,
  parameter bit LOCAL = 1'b0,
  localparam int unsigned OUTPUTS = DIMENSIONS + 1,
  localparam int unsigned POINTER =
      $clog2(DATA + 1 + (BROADCASTER ? 2 ** DIMENSIONS - 1 : 0) + 1)
) (
  input  logic                  clk,
  input  logic                  reset,
  input  logic [DIMENSIONS-1:0] local_addr,
  input  logic [DIMENSIONS-1:0] fault_vector,
  input  logic                  rts,
  output logic                  ack,
  input  logic [DIMENSIONS-1:0] flit,
  input  logic                  valid,
  input  logic                  eom,
  output logic                  out_request [OUTPUTS],
  input  logic                  out_grant [OUTPUTS],
  input  logic                  out_go [OUTPUTS],
  output logic [DIMENSIONS-1:0] out_flit [OUTPUTS],
  output logic                  out_valid [OUTPUTS],
  output logic                  out_eom [OUTPUTS],
  output logic [1:0]            state,
  output logic [15:0]           level,
  output logic                  select,  // of the Processing Module
  output logic                  copy,
  output logic [DIMENSIONS-1:0] dimension,
  output logic [DIMENSIONS-1:0] k,
  output logic [DIMENSIONS-1:0] addresses [ROWS],
  output logic [DIMENSIONS-1:0] control,
  output logic [DIMENSIONS-1:0] rows [ROWS],  // of the Store
  output logic [DIMENSIONS-1:0] source        // of the Store
);
  logic [OUTPUTS-1:0] request_v, grant_v, go_v, valid_v, eom_v;
  logic [OUTPUTS*DIMENSIONS-1:0] flit_v;
  logic [POINTER-1:0] fields;

  message_handling_unit #(
    .DIMENSIONS(DIMENSIONS), .ROWS(ROWS), .DATA(DATA), .FIELD_CYCLES(FIELD_CYCLES),
    .SELECTION_CYCLES(SELECTION_CYCLES), .ANSWER_CYCLES(ANSWER_CYCLES),
    .BROADCASTER(BROADCASTER), .FAULT_TOLERANT(FAULT_TOLERANT), .STORES(STORES),
    .SEQUENTIAL(SEQUENTIAL), .SERIAL(SERIAL), .LOCAL(LOCAL)
  ) mhu (
    .clk(clk), .reset(reset), .local_addr(local_addr), .fault_vector(fault_vector), .rts(rts),
    .ack(ack), .flit(flit), .valid(valid), .eom(eom), .out_request(request_v),
    .out_grant(grant_v), .out_go(go_v), .out_flit(flit_v), .out_valid(valid_v), .out_eom(eom_v),
    .state(state), .level(fields)
  );

  for (genvar b = 0; b < OUTPUTS; b++) begin : branch
    assign out_request[b] = request_v[b];
    assign grant_v[b] = out_grant[b];
    assign go_v[b] = out_go[b];
    assign out_flit[b] = flit_v[b*DIMENSIONS+:DIMENSIONS];
    assign out_valid[b] = valid_v[b];
    assign out_eom[b] = eom_v[b];
  end
  for (genvar r = 0; r < ROWS; r++) begin : row
    assign addresses[r] = mhu.addresses[r*DIMENSIONS+:DIMENSIONS];
    assign rows[r] = mhu.processing.rows[r*DIMENSIONS+:DIMENSIONS];
  end
  assign level = 16'(fields);
  assign select = mhu.select;
  assign copy = mhu.copy;
  assign dimension = mhu.dimension;
  assign k = mhu.k;
  assign control = mhu.control;
  assign source = mhu.processing.source;
endmodule
