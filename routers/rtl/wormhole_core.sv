// routers/rtl/wormhole_core.sv: an input-queued wormhole router between two front ends: queues,
// virtual-channel allocation, switch allocation, crossbar.
// SPDX-License-Identifier: Apache-2.0

// Queue q is virtual channel q % VCS of input q / VCS, and likewise for outputs; network ports come
// first. A front end accepts flits, states the space behind each output virtual channel, and sends on.
// Behaviour: docs/timing.md, "The router, exactly", steps 1 and 3 to 6.
// From inputs to outputs of this module there are combinational paths; front ends have registers.
module wormhole_core #(
  parameter int NETWORK_PORTS = 4,
  parameter int LOCAL_PORTS = 1,
  parameter int VCS = 1,
  parameter int DEPTH = 4,
  parameter int FLIT_WIDTH = 16,
  parameter int DIMENSIONS = 2,
  parameter int COORDINATE_WIDTH = 4,
  parameter int TORUS = 0,
  parameter int ROUTE_DELAY = 0,
  parameter int VC_DELAY = 0,
  parameter int SWITCH_DELAY = 0,
  parameter int TAIL_AT = 0,
  parameter int VC_AT = 1,
  parameter int VC_WIDTH = 2,
  parameter int DESTINATION_AT = 3
) (
  input  logic                                             clk,
  input  logic                                             reset,
  input  logic [DIMENSIONS*COORDINATE_WIDTH-1:0]           here,
  input  logic [DIMENSIONS*COORDINATE_WIDTH-1:0]           size,
  input  logic [NETWORK_PORTS+LOCAL_PORTS-1:0]             arrive,
  input  logic [(NETWORK_PORTS+LOCAL_PORTS)*FLIT_WIDTH-1:0] arrive_flit,
  input  logic [(NETWORK_PORTS+LOCAL_PORTS)*VCS-1:0]       space,  // for a flit, by output
  output logic [NETWORK_PORTS+LOCAL_PORTS-1:0]             send,
  output logic [(NETWORK_PORTS+LOCAL_PORTS)*FLIT_WIDTH-1:0] send_flit,
  output logic [(NETWORK_PORTS+LOCAL_PORTS)*VCS-1:0]       send_vc,  // one-hot per output that sends
  output logic [(NETWORK_PORTS+LOCAL_PORTS)*VCS-1:0]       freed,  // a flit leaves the queue
  output logic [(NETWORK_PORTS+LOCAL_PORTS)*VCS-1:0]       has_slot  // of the queue, after this cycle
);
  localparam int PORTS = NETWORK_PORTS + LOCAL_PORTS;
  localparam int QUEUES = PORTS * VCS;
  localparam int W = FLIT_WIDTH;

  if (NETWORK_PORTS != 2 * DIMENSIONS) begin : wrong_ports
    $error("NETWORK_PORTS must be 2 * DIMENSIONS");
  end
  if (TORUS != 0 && VCS < 2) begin : too_few_vcs
    $error("TORUS needs VCS of 2 or more, one for each class");
  end
  if (VCS > 1 && VCS > (1 << VC_WIDTH)) begin : narrow_vc
    $error("VC_WIDTH is too narrow for VCS");
  end

  // By queue.
  logic [QUEUES-1:0] granted;
  logic [QUEUES*PORTS-1:0] claim_port;
  logic [QUEUES*VCS-1:0] claim_vc;
  logic [QUEUES-1:0] ready;
  logic [QUEUES*PORTS-1:0] held_port;
  logic [QUEUES*VCS-1:0] held_vc;
  logic [QUEUES*W-1:0] front;
  // By output virtual channel.
  logic [QUEUES-1:0] free;
  logic [QUEUES*QUEUES-1:0] vc_grant;  // queue q at bit o * QUEUES + q
  // By input port.
  logic [QUEUES-1:0] nominated;  // at most one queue of each input
  logic [PORTS*PORTS-1:0] nominee_port;  // where it goes, or 0
  logic [PORTS*VCS-1:0] nominee_vc;
  logic [PORTS*W-1:0] nominee;  // the flit, on its new virtual channel
  logic [PORTS-1:0] passes;
  // By output port.
  logic [PORTS*PORTS-1:0] switch_grant;  // input i at bit o * PORTS + i

  for (genvar i = 0; i < PORTS; i = i + 1) begin : in_port
    logic [VCS-1:0] sendable;
    for (genvar v = 0; v < VCS; v = v + 1) begin : in_vc
      localparam int Q = i * VCS + v;
      logic put;
      if (VCS == 1) begin : only_vc
        assign put = arrive[i];
      end else begin : one_of_vcs
        assign put = arrive[i] && arrive_flit[i*W+VC_AT+:VC_WIDTH] == VC_WIDTH'(v);
      end
      assign freed[Q] = nominated[Q] && passes[i];

      input_queue #(
        .NETWORK_PORTS(NETWORK_PORTS), .LOCAL_PORTS(LOCAL_PORTS), .FIRST_LOCAL(i % LOCAL_PORTS),
        .VCS(VCS), .DEPTH(DEPTH), .FLIT_WIDTH(W), .DIMENSIONS(DIMENSIONS),
        .COORDINATE_WIDTH(COORDINATE_WIDTH), .TORUS(TORUS), .ROUTE_DELAY(ROUTE_DELAY),
        .VC_DELAY(VC_DELAY), .SWITCH_DELAY(SWITCH_DELAY), .TAIL_AT(TAIL_AT),
        .DESTINATION_AT(DESTINATION_AT)
      ) queue (
        .clk(clk), .reset(reset), .here(here), .size(size), .put(put), .flit(arrive_flit[i*W+:W]),
        .free(free), .granted(granted[Q]), .pass(freed[Q]), .claim_port(claim_port[Q*PORTS+:PORTS]),
        .claim_vc(claim_vc[Q*VCS+:VCS]), .ready(ready[Q]), .held_port(held_port[Q*PORTS+:PORTS]),
        .held_vc(held_vc[Q*VCS+:VCS]), .front(front[Q*W+:W]), .has_slot(has_slot[Q])
      );

      // The grant of the output virtual channel that it requests, and space behind the one it holds.
      logic [QUEUES-1:0] grants;
      logic [QUEUES-1:0] spaces;
      for (genvar o = 0; o < PORTS; o = o + 1) begin : out_port
        for (genvar w = 0; w < VCS; w = w + 1) begin : out_vc
          assign grants[o*VCS+w] = vc_grant[(o*VCS+w)*QUEUES+Q];
          assign spaces[o*VCS+w] =
              space[o*VCS+w] && held_port[Q*PORTS+o] && held_vc[Q*VCS+w];
        end
      end
      assign granted[Q] = |grants;
      assign sendable[v] = ready[Q] && |spaces;
    end

    // Nominate one queue of the input.
    round_robin #(.REQUESTERS(VCS)) input_arbiter (
      .clk(clk), .reset(reset), .requests(sendable), .served(passes[i]),
      .grant(nominated[i*VCS+:VCS])
    );
    logic [W-1:0] flit;
    if (VCS == 1) begin : single
      assign flit = front[i*W+:W];
      assign nominee_port[i*PORTS+:PORTS] = nominated[i] ? held_port[i*PORTS+:PORTS] : '0;
      assign nominee_vc[i] = held_vc[i];
      assign nominee[i*W+:W] = flit;
    end else begin : several
      always_comb begin
        flit = '0;
        nominee_port[i*PORTS+:PORTS] = '0;
        nominee_vc[i*VCS+:VCS] = '0;
        for (int v = 0; v < VCS; v = v + 1)
          if (nominated[i*VCS+v]) begin
            flit = flit | front[(i*VCS+v)*W+:W];
            nominee_port[i*PORTS+:PORTS] =
                nominee_port[i*PORTS+:PORTS] | held_port[(i*VCS+v)*PORTS+:PORTS];
            nominee_vc[i*VCS+:VCS] = nominee_vc[i*VCS+:VCS] | held_vc[(i*VCS+v)*VCS+:VCS];
          end
      end
      logic [VC_WIDTH-1:0] number;
      always_comb begin
        number = '0;
        for (int v = 0; v < VCS; v = v + 1)
          if (nominee_vc[i*VCS+v]) number = number | VC_WIDTH'(v);
      end
      always_comb begin
        nominee[i*W+:W] = flit;
        nominee[i*W+VC_AT+:VC_WIDTH] = number;
      end
    end
    logic [PORTS-1:0] passes_to;
    for (genvar o = 0; o < PORTS; o = o + 1) begin : won
      assign passes_to[o] = switch_grant[o*PORTS+i];
    end
    assign passes[i] = |passes_to;
  end

  for (genvar o = 0; o < PORTS; o = o + 1) begin : out_port
    // Claim: each virtual channel is granted to one of the queues that request it.
    for (genvar w = 0; w < VCS; w = w + 1) begin : out_vc
      localparam int O = o * VCS + w;
      logic [QUEUES-1:0] claims;
      for (genvar q = 0; q < QUEUES; q = q + 1) begin : claimant
        assign claims[q] = claim_port[q*PORTS+o] && claim_vc[q*VCS+w];
      end
      round_robin #(.REQUESTERS(QUEUES)) vc_arbiter (
        .clk(clk), .reset(reset), .requests(claims), .served(|claims),
        .grant(vc_grant[O*QUEUES+:QUEUES])
      );
      always_ff @(posedge clk)
        if (reset) free[O] <= 1'b1;
        else if (send[o] && send_vc[O] && send_flit[o*W+TAIL_AT]) free[O] <= 1'b1;
        else if (|claims) free[O] <= 1'b0;
    end

    // Pass: one of the nominated flits leaves by this output.
    logic [PORTS-1:0] bids;
    for (genvar i = 0; i < PORTS; i = i + 1) begin : bidder
      assign bids[i] = nominee_port[i*PORTS+o];
    end
    round_robin #(.REQUESTERS(PORTS)) output_arbiter (
      .clk(clk), .reset(reset), .requests(bids), .served(|bids),
      .grant(switch_grant[o*PORTS+:PORTS])
    );
    assign send[o] = |bids;
    always_comb begin
      send_flit[o*W+:W] = '0;
      send_vc[o*VCS+:VCS] = '0;
      for (int i = 0; i < PORTS; i = i + 1)
        if (switch_grant[o*PORTS+i]) begin
          send_flit[o*W+:W] = send_flit[o*W+:W] | nominee[i*W+:W];
          send_vc[o*VCS+:VCS] = send_vc[o*VCS+:VCS] | nominee_vc[i*VCS+:VCS];
        end
    end
  end
endmodule
