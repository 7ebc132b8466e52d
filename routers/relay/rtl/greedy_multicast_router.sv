// routers/relay/rtl/greedy_multicast_router.sv: Lan's router of a binary n-cube.
// SPDX-License-Identifier: Apache-2.0

// n + 1 input gateways, message handling units and output gateways. Number i serves the link along
// dimension i, number n the local processor; the wires of link i are bit i of each vector, its flit begins
// at bit i * DIMENSIONS. A message is requested, acknowledged and sent: k, k addresses unless k is
// 2^n - 1, the source or a Control vector, data.
// Timing: everything is clocked by the rising edge of clk; no combinational path leads from one link to
// another. Reset is synchronous, and needs one edge.
// Source: Lan 1988, section 6.3, Fig. 6.1
module greedy_multicast_router #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4,               // m, of the Store
  parameter int unsigned DATA = 64,              // L_max, the fields of the longest message
  parameter int unsigned FIELD_CYCLES = 1,       // T_f
  parameter int unsigned SELECTION_CYCLES = 10,  // T_c
  // By which units acknowledge later than at the edge after the request.
  parameter int unsigned ANSWER_CYCLES = 0,
  parameter int unsigned LOCAL_ANSWER_CYCLES = 0,  // of the unit of the local processor
  parameter int unsigned ARBITRATION = 0,          // as the output gateway's
  parameter bit BROADCASTER = 1'b1,                // without it, k must not exceed ROWS
  parameter bit FAULT_TOLERANT = 1'b0,
  parameter bit STORES = 1'b0,      // a message is processed when all of it has arrived
  parameter bit SEQUENTIAL = 1'b0,  // branches begin after the last selection
  parameter bit SERIAL = 1'b0,      // branches are sent one after the other
  parameter int unsigned LINKS = DIMENSIONS + 1,
  parameter int unsigned DEPTH = DATA + 1 + (BROADCASTER ? 2 ** DIMENSIONS - 1 : 0),
  parameter int unsigned POINTER = $clog2(DEPTH + 1)
) (
  input  logic                        clk,
  input  logic                        reset,
  input  logic [DIMENSIONS-1:0]       local_addr,    // does not change
  input  logic [DIMENSIONS-1:0]       fault_vector,  // faulty neighbours; does not change
  input  logic [LINKS-1:0]            in_rts,
  output logic [LINKS-1:0]            in_ack,
  input  logic [LINKS*DIMENSIONS-1:0] in_flit,
  input  logic [LINKS-1:0]            in_valid,
  input  logic [LINKS-1:0]            in_eom,
  output logic [LINKS-1:0]            out_rts,
  input  logic [LINKS-1:0]            out_ack,
  output logic [LINKS*DIMENSIONS-1:0] out_flit,
  output logic [LINKS-1:0]            out_valid,
  output logic [LINKS-1:0]            out_eom,
  // For those who observe the units: 0 WAIT, 1 INPUT, 2 PROCESSING, 3 OUTPUT; fields in data buffers.
  output logic [LINKS*2-1:0]          unit_state,
  output logic [LINKS*POINTER-1:0]    unit_level
);
  // From unit u to gateway g at u * LINKS + g.
  logic [LINKS*LINKS-1:0] request;
  logic [LINKS*LINKS-1:0] grant;
  logic [LINKS*LINKS-1:0] go;
  logic [LINKS*LINKS*DIMENSIONS-1:0] flit;
  logic [LINKS*LINKS-1:0] valid;
  logic [LINKS*LINKS-1:0] eom;

  for (genvar u = 0; u < LINKS; u++) begin : unit
    localparam bit OF_PROCESSOR = u == DIMENSIONS;
    logic rts;
    logic ack;
    logic [DIMENSIONS-1:0] received;
    logic received_valid;
    logic received_eom;

    input_gateway #(.DIMENSIONS(DIMENSIONS)) input_gateway (
      .link_rts(in_rts[u]), .link_ack(in_ack[u]),
      .link_flit(in_flit[u*DIMENSIONS+:DIMENSIONS]), .link_valid(in_valid[u]),
      .link_eom(in_eom[u]), .unit_rts(rts), .unit_ack(ack), .unit_flit(received),
      .unit_valid(received_valid), .unit_eom(received_eom)
    );
    message_handling_unit #(
      .DIMENSIONS(DIMENSIONS), .ROWS(ROWS), .DATA(DATA), .FIELD_CYCLES(FIELD_CYCLES),
      .SELECTION_CYCLES(SELECTION_CYCLES),
      .ANSWER_CYCLES(OF_PROCESSOR ? LOCAL_ANSWER_CYCLES : ANSWER_CYCLES),
      .BROADCASTER(BROADCASTER), .FAULT_TOLERANT(FAULT_TOLERANT), .STORES(STORES),
      .SEQUENTIAL(SEQUENTIAL), .SERIAL(SERIAL), .LOCAL(OF_PROCESSOR)
    ) mhu (
      .clk(clk), .reset(reset), .local_addr(local_addr), .fault_vector(fault_vector), .rts(rts),
      .ack(ack), .flit(received), .valid(received_valid), .eom(received_eom),
      .out_request(request[u*LINKS+:LINKS]), .out_grant(grant[u*LINKS+:LINKS]),
      .out_go(go[u*LINKS+:LINKS]), .out_flit(flit[u*LINKS*DIMENSIONS+:LINKS*DIMENSIONS]),
      .out_valid(valid[u*LINKS+:LINKS]), .out_eom(eom[u*LINKS+:LINKS]),
      .state(unit_state[u*2+:2]), .level(unit_level[u*POINTER+:POINTER])
    );
  end

  for (genvar g = 0; g < LINKS; g++) begin : gateway
    logic [LINKS-1:0] requests;
    logic [LINKS-1:0] grants;
    logic [LINKS-1:0] goes;
    logic [LINKS*DIMENSIONS-1:0] flits;
    logic [LINKS-1:0] valids;
    logic [LINKS-1:0] eoms;

    for (genvar u = 0; u < LINKS; u++) begin : branch
      assign requests[u] = request[u*LINKS+g];
      assign grant[u*LINKS+g] = grants[u];
      assign go[u*LINKS+g] = goes[u];
      assign flits[u*DIMENSIONS+:DIMENSIONS] = flit[(u*LINKS+g)*DIMENSIONS+:DIMENSIONS];
      assign valids[u] = valid[u*LINKS+g];
      assign eoms[u] = eom[u*LINKS+g];
    end
    output_gateway #(.DIMENSIONS(DIMENSIONS), .ARBITRATION(ARBITRATION)) output_gateway (
      .clk(clk), .reset(reset), .request(requests), .grant(grants), .go(goes), .unit_flit(flits),
      .unit_valid(valids), .unit_eom(eoms), .link_rts(out_rts[g]), .link_ack(out_ack[g]),
      .link_flit(out_flit[g*DIMENSIONS+:DIMENSIONS]), .link_valid(out_valid[g]),
      .link_eom(out_eom[g])
    );
  end
endmodule
