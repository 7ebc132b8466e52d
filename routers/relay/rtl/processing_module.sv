// routers/relay/rtl/processing_module.sv: Processing Module, selects dimensions and their destinations.
// SPDX-License-Identifier: Apache-2.0

// MULTICAST.1 and BROADCAST.2, or MULTICAST.F1 and BROADCAST.F3.
// Timing: the fields are stored at the rising edge of clk; `terminates` and `left` are combinational;
// each edge with `cycle` ends a routing cycle. Reset is synchronous.
// Source: Lan 1988, section 6.5, Fig. 6.3, 6.4; 7.4
module processing_module #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4,
  parameter bit BROADCASTER = 1'b1,
  parameter bit FAULT_TOLERANT = 1'b0,
  parameter bit LOCAL = 1'b0
) (
  input  logic                        clk,
  input  logic                        reset,
  input  logic [DIMENSIONS-1:0]       field,
  input  logic                        field_k,
  input  logic                        field_destination,
  input  logic                        field_source,
  input  logic [$clog2(ROWS + 1)-1:0] index,
  input  logic [DIMENSIONS-1:0]       local_addr,
  input  logic [DIMENSIONS-1:0]       faults,
  input  logic                        cycle,
  input  logic                        clear,
  output logic                        multicast,
  output logic                        everybody,
  output logic [DIMENSIONS-1:0]       received_k,
  output logic                        terminates,  // nothing is left for the Multicaster
  output logic                        left,        // something is left for the Broadcaster
  output logic                        select,
  output logic [DIMENSIONS-1:0]       dimension,
  output logic [DIMENSIONS-1:0]       k,
  output logic [ROWS*DIMENSIONS-1:0]  addresses,
  output logic [DIMENSIONS-1:0]       control,
  output logic                        copy
);
  logic [DIMENSIONS-1:0] relative;
  logic [ROWS*DIMENSIONS-1:0] rows;
  logic [DIMENSIONS-1:0] source;
  logic [DIMENSIONS-1:0] selected;
  logic [ROWS-1:0] sublist;
  logic [ROWS-1:0] row_clear;
  logic [DIMENSIONS-1:0] flags;
  logic [DIMENSIONS-1:0] next;
  logic [DIMENSIONS*DIMENSIONS-1:0] onward;
  logic matched;
  logic at_home;

  address_input_port #(
    .DIMENSIONS(DIMENSIONS), .FAULT_TOLERANT(FAULT_TOLERANT), .LOCAL(LOCAL)
  ) address_input_port (
    .field(field), .field_source(field_source), .multicast(multicast), .local_addr(local_addr),
    .relative(relative)
  );
  header_latch #(
    .DIMENSIONS(DIMENSIONS), .ROWS(ROWS), .BROADCASTER(BROADCASTER)
  ) header_latch (
    .clk(clk), .reset(reset), .field(field), .field_k(field_k), .k(received_k),
    .multicast(multicast), .everybody(everybody)
  );
  store #(.DIMENSIONS(DIMENSIONS), .ROWS(ROWS)) store (
    .clk(clk), .clear_all(reset || clear), .relative(relative),
    .write_destination(field_destination && multicast), .index(index), .write_source(field_source),
    .row_clear(row_clear), .rows(rows), .source(source)
  );
  multicaster #(
    .DIMENSIONS(DIMENSIONS), .ROWS(ROWS), .FAULT_TOLERANT(FAULT_TOLERANT)
  ) multicaster (
    .rows(rows), .faults(faults), .selected(selected), .sublist(sublist), .terminates(terminates)
  );
  assign row_clear = sublist & {ROWS{cycle && !terminates}};

  matching_checker #(.DIMENSIONS(DIMENSIONS)) matching_checker (
    .relative(relative), .at_home(matched)
  );
  always_ff @(posedge clk) begin
    if (reset || clear) at_home <= 1'b0;
    else if (field_destination && matched) at_home <= 1'b1;
  end

  if (BROADCASTER) begin : broadcasts
    if (FAULT_TOLERANT) begin : by_control
      broadcaster_f #(.DIMENSIONS(DIMENSIONS)) broadcaster (
        .control(source), .faults(faults), .send(flags), .onward(onward)
      );
    end else begin : by_source
      broadcaster #(.DIMENSIONS(DIMENSIONS)) broadcaster (.source(source), .send(flags));
      assign onward = '0;
    end
    flag_sequencer #(.DIMENSIONS(DIMENSIONS)) flag_sequencer (
      .clk(clk), .flags(flags), .cycle(cycle), .clear(reset || clear), .next(next), .left(left)
    );
  end else begin : multicasts_only
    assign flags = '0;
    assign onward = '0;
    assign next = flags;
    assign left = 1'b0;
  end

  selection_port #(
    .DIMENSIONS(DIMENSIONS), .ROWS(ROWS), .FAULT_TOLERANT(FAULT_TOLERANT), .LOCAL(LOCAL)
  ) selection_port (
    .clk(clk), .reset(reset), .cycle(cycle), .clear(clear), .multicast(multicast),
    .everybody(everybody), .at_home(at_home), .terminates(terminates), .selected(selected),
    .sublist(sublist), .rows(rows), .source(source), .next(next), .onward(onward),
    .local_addr(local_addr), .select(select), .dimension(dimension), .k(k), .addresses(addresses),
    .control(control), .copy(copy)
  );
endmodule
