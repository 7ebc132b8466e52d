// routers/relay/rtl/selection_port.sv: Output Port, the selection of a routing cycle and its header.
// SPDX-License-Identifier: Apache-2.0

// A selection is a dimension with a list of destinations (of the Multicaster) or with the header as it
// came (of the Broadcaster). The copy for the local processor opens at the first edge with `cycle`.
// Timing: `select` and `copy` are high in the cycle after an edge at which a dimension, or the copy, was
// selected. Reset is synchronous.
// Source: Lan 1988, section 6.5.5; that a processor gets no copy of its own broadcast is ours
module selection_port #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4,
  parameter bit FAULT_TOLERANT = 1'b0,
  parameter bit LOCAL = 1'b0
) (
  input  logic                             clk,
  input  logic                             reset,
  input  logic                             cycle,
  input  logic                             clear,
  input  logic                             multicast,
  input  logic                             everybody,
  input  logic                             at_home,
  input  logic                             terminates,  // of the Multicaster
  input  logic [DIMENSIONS-1:0]            selected,    // of the Multicaster
  input  logic [ROWS-1:0]                  sublist,     // of the Multicaster
  input  logic [ROWS*DIMENSIONS-1:0]       rows,        // of the Store
  input  logic [DIMENSIONS-1:0]            source,      // of the Store
  input  logic [DIMENSIONS-1:0]            next,        // of the Broadcaster's flags
  input  logic [DIMENSIONS*DIMENSIONS-1:0] onward,      // Control vectors, by dimensions
  input  logic [DIMENSIONS-1:0]            local_addr,
  output logic                             select,
  output logic [DIMENSIONS-1:0]            dimension,  // one-hot
  output logic [DIMENSIONS-1:0]            k,          // 0: the header is forwarded unchanged
  output logic [ROWS*DIMENSIONS-1:0]       addresses,  // actual ones, k of them, from the lowest bits
  output logic [DIMENSIONS-1:0]            control,
  output logic                             copy
);
  logic list;
  logic flag;
  logic wanted;
  logic copied;
  logic opens;
  logic [DIMENSIONS-1:0] count;
  logic [ROWS*DIMENSIONS-1:0] named;
  logic [DIMENSIONS-1:0] vector;

  assign list = cycle && !clear && multicast && !terminates;
  assign flag = cycle && !clear && !multicast && (|next);
  if (FAULT_TOLERANT) begin : by_gateway
    assign wanted = everybody ? !LOCAL : at_home;
  end else begin : by_source
    assign wanted = everybody ? (|source) : at_home;
  end
  assign opens = cycle && !clear && !copied && wanted;

  // The selected rows without gaps: from the last row on, each one goes in front of the others.
  always_comb begin
    named = '0;
    count = '0;
    for (int i = ROWS - 1; i >= 0; i--)
      if (sublist[i]) begin
        named = named << DIMENSIONS;
        named[DIMENSIONS-1:0] = rows[i*DIMENSIONS+:DIMENSIONS] ^ local_addr;
        count = count + 1'b1;
      end
  end

  always_comb begin
    vector = '0;
    for (int j = 0; j < DIMENSIONS; j++)
      vector = vector | (onward[j*DIMENSIONS+:DIMENSIONS] & {DIMENSIONS{next[j]}});
  end

  always_ff @(posedge clk) begin
    if (reset) begin
      select <= 1'b0;
      copy <= 1'b0;
      copied <= 1'b0;
    end else begin
      select <= list || flag;
      copy <= opens;
      copied <= !clear && (copied || opens);
    end
  end

  always_ff @(posedge clk) begin
    if (list) begin
      dimension <= selected;
      k <= count;
      addresses <= named;
      control <= source;
    end else if (flag) begin
      dimension <= next;
      k <= '0;
      control <= vector;
    end
  end
endmodule
