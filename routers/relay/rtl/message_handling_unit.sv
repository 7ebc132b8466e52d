// routers/relay/rtl/message_handling_unit.sv: receives a message, selects its dimensions, and sends it.
// SPDX-License-Identifier: Apache-2.0

// Serves one message after the other: controller, Input Module, Processing Module, Data Buffer and Output
// Module. Port b of the output side is that along dimension b; the last is to the local processor.
// Timing: as its modules. Reset is synchronous.
// Source: Lan 1988, section 6.4, Fig. 6.2
module message_handling_unit #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4,
  parameter int unsigned DATA = 64,  // L_max, the fields of the longest message
  parameter int unsigned FIELD_CYCLES = 1,
  parameter int unsigned SELECTION_CYCLES = 10,
  parameter int unsigned ANSWER_CYCLES = 0,
  parameter bit BROADCASTER = 1'b1,
  parameter bit FAULT_TOLERANT = 1'b0,
  parameter bit STORES = 1'b0,
  parameter bit SEQUENTIAL = 1'b0,
  parameter bit SERIAL = 1'b0,
  parameter bit LOCAL = 1'b0,  // it receives from the local processor
  parameter int unsigned OUTPUTS = DIMENSIONS + 1,
  // With the source, and a list that is too long for the Store.
  parameter int unsigned DEPTH = DATA + 1 + (BROADCASTER ? 2 ** DIMENSIONS - 1 : 0),
  parameter int unsigned POINTER = $clog2(DEPTH + 1)
) (
  input  logic                          clk,
  input  logic                          reset,
  input  logic [DIMENSIONS-1:0]         local_addr,
  input  logic [DIMENSIONS-1:0]         fault_vector,
  // From the input gateway.
  input  logic                          rts,
  output logic                          ack,
  input  logic [DIMENSIONS-1:0]         flit,
  input  logic                          valid,
  input  logic                          eom,
  // To the output gateways.
  output logic [OUTPUTS-1:0]            out_request,
  input  logic [OUTPUTS-1:0]            out_grant,
  input  logic [OUTPUTS-1:0]            out_go,
  output logic [OUTPUTS*DIMENSIONS-1:0] out_flit,
  output logic [OUTPUTS-1:0]            out_valid,
  output logic [OUTPUTS-1:0]            out_eom,
  // For those who observe it.
  output logic [1:0]                    state,
  output logic [POINTER-1:0]            level  // fields in the data buffer
);
  localparam int unsigned INDEX_BITS = $clog2(ROWS + 1);

  logic cycle;
  logic clear;
  logic field_k;
  logic field_destination;
  logic field_source;
  logic field_data;
  logic [INDEX_BITS-1:0] index;
  logic message_done;
  logic multicast;
  logic everybody;
  logic [DIMENSIONS-1:0] received_k;
  logic terminates;
  logic left;
  logic select;
  logic [DIMENSIONS-1:0] dimension;
  logic [DIMENSIONS-1:0] k;
  logic [ROWS*DIMENSIONS-1:0] addresses;
  logic [DIMENSIONS-1:0] control;
  logic copy;
  logic write;
  logic [OUTPUTS*POINTER-1:0] taken;
  logic [OUTPUTS-1:0] opened;
  logic [OUTPUTS*DIMENSIONS-1:0] front;
  logic [OUTPUTS-1:0] ends;
  logic all_done;
  logic sending;

  mhu_controller #(
    .SELECTION_CYCLES(SELECTION_CYCLES), .ANSWER_CYCLES(ANSWER_CYCLES), .STORES(STORES)
  ) controller (
    .clk(clk), .reset(reset), .rts(rts), .valid(valid), .eom(eom), .field_source(field_source),
    .message_done(message_done), .multicast(multicast), .terminates(terminates), .left(left),
    .all_done(all_done), .ack(ack), .state(state), .cycle(cycle), .clear(clear)
  );
  input_module #(.DIMENSIONS(DIMENSIONS), .ROWS(ROWS)) input_module (
    .clk(clk), .reset(reset), .valid(valid), .eom(eom), .k(received_k), .everybody(everybody),
    .clear(clear), .field_k(field_k), .field_destination(field_destination),
    .field_source(field_source), .field_data(field_data), .index(index),
    .message_done(message_done)
  );
  processing_module #(
    .DIMENSIONS(DIMENSIONS), .ROWS(ROWS), .BROADCASTER(BROADCASTER),
    .FAULT_TOLERANT(FAULT_TOLERANT), .LOCAL(LOCAL)
  ) processing (
    .clk(clk), .reset(reset), .field(flit), .field_k(field_k),
    .field_destination(field_destination), .field_source(field_source), .index(index),
    .local_addr(local_addr), .faults(fault_vector), .cycle(cycle), .clear(clear),
    .multicast(multicast), .everybody(everybody), .received_k(received_k),
    .terminates(terminates), .left(left), .select(select), .dimension(dimension), .k(k),
    .addresses(addresses), .control(control), .copy(copy)
  );

  // The data, the source unless a Control vector replaces it, and a list that does not fit into the
  // Store.
  assign write = field_data || (field_destination && !multicast) ||
                 (field_source && !FAULT_TOLERANT);
  assign sending = state == 2'd3;
  data_buffer #(
    .DIMENSIONS(DIMENSIONS), .DEPTH(DEPTH), .OUTPUTS(OUTPUTS), .POINTER(POINTER)
  ) data_buffer (
    .clk(clk), .reset(reset), .write(write), .field(flit), .last(eom), .clear(clear),
    .closed(sending), .taken(taken), .opened(opened), .front(front), .ends(ends), .level(level)
  );
  output_module #(
    .DIMENSIONS(DIMENSIONS), .ROWS(ROWS), .POINTER(POINTER), .FIELD_CYCLES(FIELD_CYCLES),
    .FAULT_TOLERANT(FAULT_TOLERANT), .SEQUENTIAL(SEQUENTIAL), .SERIAL(SERIAL), .OUTPUTS(OUTPUTS)
  ) output_module (
    .clk(clk), .reset(reset), .all_selected(sending), .select(select), .dimension(dimension),
    .k(k), .addresses(addresses), .control(control), .copy(copy), .received_k(received_k),
    .multicast(multicast), .everybody(everybody), .front(front), .ends(ends), .taken(taken),
    .opened(opened), .all_done(all_done), .request(out_request), .grant(out_grant), .go(out_go),
    .field(out_flit), .valid(out_valid), .eom(out_eom)
  );
endmodule
