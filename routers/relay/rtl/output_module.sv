// routers/relay/rtl/output_module.sv: Output Module, the branches of a message.
// SPDX-License-Identifier: Apache-2.0

// Opens a branch for each dimension that is selected, and one for the local processor. SEQUENTIAL holds
// all branches until the unit is in OUTPUT; SERIAL holds those after the first; the copy for the local
// processor is the first of those that open together.
// Timing: `all_done` is combinational.
// Source: Lan 1988, section 6.4.3
module output_module #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4,
  parameter int unsigned POINTER = 7,
  parameter int unsigned FIELD_CYCLES = 1,
  parameter bit FAULT_TOLERANT = 1'b0,
  parameter bit SEQUENTIAL = 1'b0,
  parameter bit SERIAL = 1'b0,
  parameter int unsigned OUTPUTS = DIMENSIONS + 1
) (
  input  logic                          clk,
  input  logic                          reset,
  input  logic                          all_selected,  // the unit is in OUTPUT
  input  logic                          select,
  input  logic [DIMENSIONS-1:0]         dimension,
  input  logic [DIMENSIONS-1:0]         k,
  input  logic [ROWS*DIMENSIONS-1:0]    addresses,
  input  logic [DIMENSIONS-1:0]         control,
  input  logic                          copy,
  input  logic [DIMENSIONS-1:0]         received_k,
  input  logic                          multicast,
  input  logic                          everybody,
  input  logic [OUTPUTS*DIMENSIONS-1:0] front,
  input  logic [OUTPUTS-1:0]            ends,
  output logic [OUTPUTS*POINTER-1:0]    taken,
  output logic [OUTPUTS-1:0]            opened,
  output logic                          all_done,
  // To the output gateways.
  output logic [OUTPUTS-1:0]            request,
  input  logic [OUTPUTS-1:0]            grant,
  input  logic [OUTPUTS-1:0]            go,
  output logic [OUTPUTS*DIMENSIONS-1:0] field,
  output logic [OUTPUTS-1:0]            valid,
  output logic [OUTPUTS-1:0]            eom
);
  logic [OUTPUTS-1:0] start;
  logic [OUTPUTS-1:0] behind;
  logic [OUTPUTS-1:0] hold;

  assign start = {copy, dimension & {DIMENSIONS{select}}};
  assign all_done = ~(|opened);
  assign hold = behind | {OUTPUTS{SEQUENTIAL && !all_selected}};

  if (SERIAL) begin : one_by_one
    logic [OUTPUTS-1:0] first;
    line_order #(.MEMBERS(OUTPUTS), .HIGHEST_FIRST(1'b1)) line_order (
      .clk(clk), .reset(reset), .present(opened), .first(first)
    );
    assign behind = ~first;
  end else begin : together
    assign behind = '0;
  end

  for (genvar b = 0; b < OUTPUTS; b++) begin : branch
    output_branch #(
      .DIMENSIONS(DIMENSIONS), .ROWS(ROWS), .POINTER(POINTER), .FIELD_CYCLES(FIELD_CYCLES),
      .FAULT_TOLERANT(FAULT_TOLERANT), .LOCAL(b == DIMENSIONS)
    ) output_branch (
      .clk(clk), .reset(reset), .start(start[b]), .hold(hold[b]), .k(k), .addresses(addresses),
      .control(control), .received_k(received_k), .multicast(multicast), .everybody(everybody),
      .grant(grant[b]), .go(go[b]), .front(front[b*DIMENSIONS+:DIMENSIONS]), .ends(ends[b]),
      .request(request[b]), .field(field[b*DIMENSIONS+:DIMENSIONS]), .valid(valid[b]), .eom(eom[b]),
      .taken(taken[b*POINTER+:POINTER]), .opened(opened[b])
    );
  end
endmodule
