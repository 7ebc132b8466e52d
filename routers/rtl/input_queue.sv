// routers/rtl/input_queue.sv: a virtual channel of an input: buffer, route, claim, and what it holds.
// SPDX-License-Identifier: Apache-2.0

// A head that has reached the front may claim a virtual channel ROUTE_DELAY + VC_DELAY cycles later,
// and requests one in every cycle from then on. With the grant it holds the virtual channel until its
// tail has left. Docs: docs/timing.md, "The router, exactly", steps 1 and 3 to 6.
module input_queue #(
  parameter int NETWORK_PORTS = 4,  // 2 * DIMENSIONS
  parameter int LOCAL_PORTS = 1,
  parameter int FIRST_LOCAL = 0,  // the local port that is tried first
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
  parameter int DESTINATION_AT = 0
) (
  input  logic                                       clk,
  input  logic                                       reset,
  input  logic [DIMENSIONS*COORDINATE_WIDTH-1:0]     here,
  input  logic [DIMENSIONS*COORDINATE_WIDTH-1:0]     size,
  input  logic                                       put,
  input  logic [FLIT_WIDTH-1:0]                      flit,
  input  logic [(NETWORK_PORTS+LOCAL_PORTS)*VCS-1:0] free,  // virtual channels that may be claimed
  input  logic                                       granted,  // those that are requested now
  input  logic                                       pass,  // the front leaves
  output logic [NETWORK_PORTS+LOCAL_PORTS-1:0]       claim_port,  // one-hot
  output logic [VCS-1:0]                             claim_vc,  // one-hot, or 0: requests none
  output logic                                       ready,  // the front may leave, given space
  output logic [NETWORK_PORTS+LOCAL_PORTS-1:0]       held_port,  // where it leaves; one-hot if ready
  output logic [VCS-1:0]                             held_vc,
  output logic [FLIT_WIDTH-1:0]                      front,
  output logic                                       has_slot  // after this cycle
);
  localparam int PORTS = NETWORK_PORTS + LOCAL_PORTS;
  localparam int CLAIM_DELAY = ROUTE_DELAY + VC_DELAY;
  localparam int CLASS_0 = TORUS != 0 ? (VCS + 1) / 2 : VCS;  // the lower ones; the others: class 1
  localparam int LONGEST = CLAIM_DELAY > SWITCH_DELAY ? CLAIM_DELAY : SWITCH_DELAY;

  logic occupied;
  logic mature;
  logic remains;
  logic active;  // the packet at the front holds a virtual channel
  logic timely;  // the delay of a head has ended
  logic ends;    // a tail leaves

  flit_fifo #(
    .WIDTH(FLIT_WIDTH), .DEPTH(DEPTH), .BYPASS(CLAIM_DELAY == 0 || SWITCH_DELAY == 0 ? 1 : 0),
    .DELAY(SWITCH_DELAY)
  ) buffer (
    .clk(clk), .reset(reset), .put(put), .flit(flit), .take(pass), .occupied(occupied),
    .mature(mature), .front(front), .remains(remains), .has_slot(has_slot)
  );
  assign ends = pass && front[TAIL_AT];

  // Route. With two cycles or more until the claim it is registered, as the front was at rest for one.
  logic [2*DIMENSIONS-1:0] routed;
  logic routed_class;
  logic [2*DIMENSIONS-1:0] network;  // the next hop; 0: this node's processor
  logic vc_class;
  dimension_order #(
    .DIMENSIONS(DIMENSIONS), .COORDINATE_WIDTH(COORDINATE_WIDTH), .TORUS(TORUS)
  ) route (
    .here(here), .size(size),
    .destination(front[DESTINATION_AT+:DIMENSIONS*COORDINATE_WIDTH]), .toward(routed),
    .wrap_ahead(routed_class)
  );
  if (CLAIM_DELAY >= 2) begin : route_register
    always_ff @(posedge clk)
      if (reset) begin
        network <= '0;
        vc_class <= 1'b0;
      end else begin
        network <= routed;
        vc_class <= routed_class;
      end
  end else begin : no_route_register
    assign network = routed;
    assign vc_class = routed_class;
  end

  // Of the local ports, the first with a free virtual channel.
  logic [LOCAL_PORTS-1:0] local_port;
  logic arrived;
  assign arrived = ~|network;
  for (genvar i = 0; i < LOCAL_PORTS; i = i + 1) begin : attempt
    localparam int THIS = (FIRST_LOCAL + i) % LOCAL_PORTS;
    logic found;  // by this attempt or an earlier one
    logic open;
    assign open = |free[(NETWORK_PORTS+THIS)*VCS+:VCS];
    if (i == 0) begin : begin_here
      assign found = open;
      assign local_port[THIS] = arrived && open;
    end else begin : continue_here
      assign found = attempt[i-1].found || open;
      assign local_port[THIS] = arrived && open && !attempt[i-1].found;
    end
    if (i == LOCAL_PORTS - 1) begin : last_attempt
      logic unused;
      assign unused = &{1'b0, found};
    end
  end
  assign claim_port = {local_port, network};

  // Claim: of the free virtual channels of the class, the next in turn.
  logic [VCS-1:0] open_vcs;
  logic [VCS-1:0] turn;
  for (genvar v = 0; v < VCS; v = v + 1) begin : vc
    logic [PORTS-1:0] free_at;  // per port
    for (genvar o = 0; o < PORTS; o = o + 1) begin : port
      assign free_at[o] = free[o*VCS+v];
    end
    assign open_vcs[v] =
        |(free_at & claim_port) && (arrived || vc_class == (v >= CLASS_0 ? 1'b1 : 1'b0));
  end
  round_robin #(.REQUESTERS(VCS)) vc_turn (
    .clk(clk), .reset(reset), .requests(open_vcs), .served(granted), .grant(turn)
  );
  assign claim_vc = occupied && !active && timely ? turn : '0;

  // The virtual channel held.
  logic [PORTS-1:0] port_register;
  logic [VCS-1:0] vc_register;
  always_ff @(posedge clk)
    if (reset) begin
      active <= 1'b0;
      port_register <= '0;
      vc_register <= '0;
    end else begin
      active <= (active || granted) && !ends;
      if (granted) begin
        port_register <= claim_port;
        vc_register <= claim_vc;
      end
    end
  if (SWITCH_DELAY == 0) begin : passes_at_once
    assign ready = mature && (active || granted);
    assign held_port = active ? port_register : claim_port;
    assign held_vc = active ? vc_register : claim_vc;
  end else begin : passes_later
    assign ready = mature && active && timely;
    assign held_port = port_register;
    assign held_vc = vc_register;
  end

  // The delays of a head: until its claim, then until it may leave.
  if (LONGEST == 0) begin : no_delays
    logic unused;
    assign unused = &{1'b0, remains};
    assign timely = 1'b1;
  end else begin : delays
    localparam int WIDTH = $clog2(LONGEST + 1);
    logic [WIDTH-1:0] rest;  // cycles
    assign timely = rest == '0;
    always_ff @(posedge clk)
      if (reset) rest <= WIDTH'(CLAIM_DELAY);
      else if (ends) rest <= remains && CLAIM_DELAY > 0 ? WIDTH'(CLAIM_DELAY - 1) : WIDTH'(CLAIM_DELAY);
      else if (granted) rest <= SWITCH_DELAY > 0 ? WIDTH'(SWITCH_DELAY - 1) : '0;
      else if (occupied && !timely) rest <= rest - WIDTH'(1);
  end
endmodule
