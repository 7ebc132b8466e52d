// testbenches/tests/rtl/relay/observed_router.sv: the router in Verilog, and what is inside it.
// SPDX-License-Identifier: Apache-2.0

// Element i of an array is of link i, or of its message handling unit. `cut_rts` and `cut_ack` are wires
// that are broken: nothing leaves on them.
module observed_router #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4,
  parameter int unsigned DATA = 64,
  parameter int unsigned FIELD_CYCLES = 1,
  parameter int unsigned SELECTION_CYCLES = 10,
  parameter int unsigned ANSWER_CYCLES = 0,
  parameter int unsigned LOCAL_ANSWER_CYCLES = 0,
  parameter int unsigned ARBITRATION = 0,
  parameter bit BROADCASTER = 1'b1,
  parameter bit FAULT_TOLERANT = 1'b0,
  parameter bit STORES = 1'b0,
  parameter bit SEQUENTIAL = 1'b0,
  parameter bit SERIAL = 1'b0,
  localparam int unsigned LINKS = DIMENSIONS + 1,
  localparam int unsigned POINTER =
      $clog2(DATA + 1 + (BROADCASTER ? 2 ** DIMENSIONS - 1 : 0) + 1)
) (
  input  logic                  clk,
  input  logic                  reset,
  input  logic [DIMENSIONS-1:0] local_addr,
  input  logic [DIMENSIONS-1:0] fault_vector,
  input  logic                  in_rts [LINKS],
  output logic                  in_ack [LINKS],
  input  logic [DIMENSIONS-1:0] in_flit [LINKS],
  input  logic                  in_valid [LINKS],
  input  logic                  in_eom [LINKS],
  output logic                  out_rts [LINKS],
  input  logic                  out_ack [LINKS],
  output logic [DIMENSIONS-1:0] out_flit [LINKS],
  output logic                  out_valid [LINKS],
  output logic                  out_eom [LINKS],
  input  logic [LINKS-1:0]      cut_rts,
  input  logic [LINKS-1:0]      cut_ack,

  output logic [1:0]            state [LINKS],
  output logic [15:0]           level [LINKS],
  output logic [DIMENSIONS-1:0] selected [LINKS],       // one-hot, or 0
  output logic [DIMENSIONS-1:0] selected_k [LINKS],
  output logic [DIMENSIONS-1:0] selected_nodes [LINKS][ROWS],
  output logic                  ends [LINKS],           // the last fields are on the links
  output logic                  streams [LINKS],        // of the output gateway
  output logic [LINKS-1:0]      sender [LINKS],         // of the output gateway; one-hot
  // [unit][branch]
  output logic                  waits [LINKS][LINKS],   // for its output
  output logic [DIMENSIONS-1:0] header_k [LINKS][LINKS],
  output logic [DIMENSIONS-1:0] header_listed [LINKS][LINKS],  // 0: the addresses are in the buffer
  output logic [DIMENSIONS-1:0] header_nodes [LINKS][LINKS][ROWS],
  output logic [DIMENSIONS-1:0] header_control [LINKS][LINKS]
);
  logic [LINKS-1:0] in_rts_v, in_ack_v, in_valid_v, in_eom_v;
  logic [LINKS-1:0] out_rts_v, out_ack_v, out_valid_v, out_eom_v;
  logic [LINKS*DIMENSIONS-1:0] in_flit_v, out_flit_v;
  logic [LINKS*2-1:0] unit_state;
  logic [LINKS*POINTER-1:0] unit_level;

  greedy_multicast_router #(
    .DIMENSIONS(DIMENSIONS), .ROWS(ROWS), .DATA(DATA), .FIELD_CYCLES(FIELD_CYCLES),
    .SELECTION_CYCLES(SELECTION_CYCLES), .ANSWER_CYCLES(ANSWER_CYCLES),
    .LOCAL_ANSWER_CYCLES(LOCAL_ANSWER_CYCLES), .ARBITRATION(ARBITRATION),
    .BROADCASTER(BROADCASTER), .FAULT_TOLERANT(FAULT_TOLERANT), .STORES(STORES),
    .SEQUENTIAL(SEQUENTIAL), .SERIAL(SERIAL)
  ) router (
    .clk(clk), .reset(reset), .local_addr(local_addr), .fault_vector(fault_vector),
    .in_rts(in_rts_v), .in_ack(in_ack_v), .in_flit(in_flit_v), .in_valid(in_valid_v),
    .in_eom(in_eom_v), .out_rts(out_rts_v), .out_ack(out_ack_v), .out_flit(out_flit_v),
    .out_valid(out_valid_v), .out_eom(out_eom_v), .unit_state(unit_state),
    .unit_level(unit_level)
  );

  for (genvar i = 0; i < LINKS; i++) begin : link
    assign in_rts_v[i] = in_rts[i];
    assign in_ack[i] = in_ack_v[i] && !cut_ack[i];
    assign in_flit_v[i*DIMENSIONS+:DIMENSIONS] = in_flit[i];
    assign in_valid_v[i] = in_valid[i];
    assign in_eom_v[i] = in_eom[i];
    assign out_rts[i] = out_rts_v[i] && !cut_rts[i];
    assign out_ack_v[i] = out_ack[i];
    assign out_flit[i] = out_flit_v[i*DIMENSIONS+:DIMENSIONS];
    assign out_valid[i] = out_valid_v[i];
    assign out_eom[i] = out_eom_v[i];

    assign state[i] = unit_state[i*2+:2];
    assign level[i] = 16'(unit_level[i*POINTER+:POINTER]);
    assign selected[i] =
        router.unit[i].mhu.select ? router.unit[i].mhu.dimension : '0;
    assign selected_k[i] = router.unit[i].mhu.k;
    for (genvar r = 0; r < ROWS; r++) begin : row
      assign selected_nodes[i][r] = router.unit[i].mhu.addresses[r*DIMENSIONS+:DIMENSIONS];
    end
    assign ends[i] = state[i] == 2'd3 && router.unit[i].mhu.message_done &&
                     &(~router.unit[i].mhu.opened | router.unit[i].mhu.out_eom);
    assign streams[i] = router.gateway[i].output_gateway.streams;
    assign sender[i] = router.gateway[i].output_gateway.holder;
    for (genvar b = 0; b < LINKS; b++) begin : branch
      assign waits[i][b] =
          (router.unit[i].mhu.output_module.branch[b].output_branch.phase == 3'd1 &&
           !router.unit[i].mhu.output_module.hold[b]) ||
          router.unit[i].mhu.output_module.branch[b].output_branch.phase == 3'd2;
      assign header_k[i][b] = router.unit[i].mhu.output_module.branch[b].output_branch.sent_k;
      assign header_listed[i][b] =
          router.unit[i].mhu.output_module.branch[b].output_branch.list_in_buffer
              ? '0 : router.unit[i].mhu.output_module.branch[b].output_branch.listed;
      for (genvar r = 0; r < ROWS; r++) begin : row
        assign header_nodes[i][b][r] =
            router.unit[i].mhu.output_module.branch[b].output_branch.list[
                r*DIMENSIONS+:DIMENSIONS];
      end
      assign header_control[i][b] =
          router.unit[i].mhu.output_module.branch[b].output_branch.vector;
    end
  end
endmodule
