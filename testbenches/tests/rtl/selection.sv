// testbenches/tests/rtl/selection.sv: a Store and a Multicaster, connected.
// SPDX-License-Identifier: Apache-2.0

// With `run`, each rising edge of clk ends a routing cycle: the selected rows are cleared. The signals
// between the blocks are outputs.
module selection #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4
) (
  input  logic                            clk,
  input  logic                            clear_all,
  input  logic [DIMENSIONS-1:0]           relative,
  input  logic                            write_destination,
  input  logic [$clog2(ROWS + 1)-1:0]     index,
  input  logic                            write_source,
  input  logic                            run,
  input  logic [DIMENSIONS-1:0]           faults,
  output logic [ROWS-1:0][DIMENSIONS-1:0] rows,
  output logic [DIMENSIONS-1:0]           source,
  output logic [DIMENSIONS-1:0][ROWS:0]   lines,
  output logic [ROWS:0]                   found,
  output logic [ROWS:0]                   highest,
  output logic [DIMENSIONS-1:0]           fullest,
  output logic [DIMENSIONS-1:0]           selected,
  output logic [ROWS-1:0]                 sublist,
  output logic                            terminates
);
  logic [ROWS-1:0] row_clear;

  assign row_clear = run && !terminates ? sublist : '0;
  // [instances]
  store #(.DIMENSIONS(DIMENSIONS), .ROWS(ROWS)) store (
    .clk(clk), .clear_all(clear_all), .relative(relative), .write_destination(write_destination),
    .index(index), .write_source(write_source), .row_clear(row_clear), .rows(rows), .source(source)
  );
  multicaster #(.DIMENSIONS(DIMENSIONS), .ROWS(ROWS), .FAULT_TOLERANT(1'b1)) multicaster (
    .rows(rows), .faults(faults), .selected(selected), .sublist(sublist), .terminates(terminates)
  );
  // [instances]
  assign lines = multicaster.lines;
  assign found = multicaster.maxc.found;
  assign highest = multicaster.highest;
  assign fullest = multicaster.clms.fullest;
endmodule
