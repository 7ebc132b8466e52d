// routers/rtl/wormhole_ready_valid.sv: an input-queued wormhole router under the ready_valid handshake.
// SPDX-License-Identifier: Apache-2.0

// Cycle for cycle the router of docs/timing.md, "The router, exactly", with merged stages, round-robin
// arbiters and dimension-order routing. Preset single_cycle: the four delays are 0.
//
// Ports are numbered: 2d to greater coordinates of dimension d, 2d + 1 to smaller ones, then local
// ports. Port p has bit p of a vector, or the bits from p * width on. Inputs of ports without a channel
// are 0. All outputs are registers. A flit is accepted at an edge at which it is valid and the ready of
// its virtual channel is high (bit p * VCS + virtual channel). `in_ready` does not fall before a flit
// was accepted; an offer that was not accepted may be replaced by one of another virtual channel.
//
// Fields of a flit, by offset: TAIL_AT one bit, VC_AT the virtual channel (VC_WIDTH bits; read and
// written with VCS > 1 only), DESTINATION_AT the coordinates of the destination, dimension 0 lowest;
// of body flits the router reads tail and virtual channel only. All other bits cross unchanged.
//
// Reset, synchronous, reaches all registers but the data of buffers.
module wormhole_ready_valid #(
  parameter int NETWORK_PORTS = 4,  // 2 * DIMENSIONS
  parameter int LOCAL_PORTS = 1,
  parameter int VCS = 1,
  parameter int DEPTH = 4,  // slots of each virtual channel, here
  parameter int FLIT_WIDTH = 16,
  parameter int DIMENSIONS = 2,
  parameter int COORDINATE_WIDTH = 4,
  parameter int TORUS = 0,  // 1: all dimensions wrap; two classes of virtual channels, VCS >= 2
  parameter int ROUTE_DELAY = 0,
  parameter int VC_DELAY = 0,
  parameter int SWITCH_DELAY = 0,
  parameter int TRAVERSAL = 0,
  parameter int TAIL_AT = 0,
  parameter int VC_AT = 1,
  parameter int VC_WIDTH = 2,
  parameter int DESTINATION_AT = 3
) (
  input  logic                                              clk,
  input  logic                                              reset,
  input  logic [DIMENSIONS*COORDINATE_WIDTH-1:0]            here,
  input  logic [DIMENSIONS*COORDINATE_WIDTH-1:0]            size,  // nodes per ring; TORUS only
  input  logic [NETWORK_PORTS+LOCAL_PORTS-1:0]              in_valid,
  input  logic [(NETWORK_PORTS+LOCAL_PORTS)*FLIT_WIDTH-1:0] in_flit,
  output logic [(NETWORK_PORTS+LOCAL_PORTS)*VCS-1:0]        in_ready,  // back to the sender
  output logic [NETWORK_PORTS+LOCAL_PORTS-1:0]              out_valid,
  output logic [(NETWORK_PORTS+LOCAL_PORTS)*FLIT_WIDTH-1:0] out_flit,
  input  logic [(NETWORK_PORTS+LOCAL_PORTS)*VCS-1:0]        out_ready
);
  localparam int PORTS = NETWORK_PORTS + LOCAL_PORTS;

  logic [PORTS*VCS-1:0] space;
  logic [PORTS-1:0] arrive;
  logic [PORTS-1:0] send;
  logic [PORTS*FLIT_WIDTH-1:0] send_flit;
  logic [PORTS*VCS-1:0] send_vc;
  logic [PORTS*VCS-1:0] freed;
  logic [PORTS*VCS-1:0] has_slot;

  wormhole_core #(
    .NETWORK_PORTS(NETWORK_PORTS), .LOCAL_PORTS(LOCAL_PORTS), .VCS(VCS), .DEPTH(DEPTH),
    .FLIT_WIDTH(FLIT_WIDTH), .DIMENSIONS(DIMENSIONS), .COORDINATE_WIDTH(COORDINATE_WIDTH),
    .TORUS(TORUS), .ROUTE_DELAY(ROUTE_DELAY), .VC_DELAY(VC_DELAY), .SWITCH_DELAY(SWITCH_DELAY),
    .TAIL_AT(TAIL_AT), .VC_AT(VC_AT), .VC_WIDTH(VC_WIDTH), .DESTINATION_AT(DESTINATION_AT)
  ) core (
    .clk(clk), .reset(reset), .here(here), .size(size), .arrive(arrive), .arrive_flit(in_flit),
    .space(space), .send(send), .send_flit(send_flit), .send_vc(send_vc), .freed(freed),
    .has_slot(has_slot)
  );
  logic unused;
  assign unused = &{1'b0, freed};  // senders know it by `ready`

  always_ff @(posedge clk)
    if (reset) in_ready <= '1;
    else in_ready <= has_slot;

  for (genvar p = 0; p < PORTS; p = p + 1) begin : port
    if (VCS == 1) begin : only_vc
      assign arrive[p] = in_valid[p] && in_ready[p];
    end else begin : one_of_vcs
      logic [VCS-1:0] addressed;
      for (genvar v = 0; v < VCS; v = v + 1) begin : vc
        assign addressed[v] = in_flit[p*FLIT_WIDTH+VC_AT+:VC_WIDTH] == VC_WIDTH'(v);
      end
      assign arrive[p] = in_valid[p] && |(in_ready[p*VCS+:VCS] & addressed);
    end
    ready_output #(
      .VCS(VCS), .FLIT_WIDTH(FLIT_WIDTH), .TRAVERSAL(TRAVERSAL)
    ) ready_output (
      .clk(clk), .reset(reset), .out_ready(out_ready[p*VCS+:VCS]), .send(send[p]),
      .send_flit(send_flit[p*FLIT_WIDTH+:FLIT_WIDTH]), .send_vc(send_vc[p*VCS+:VCS]),
      .space(space[p*VCS+:VCS]), .out_valid(out_valid[p]),
      .out_flit(out_flit[p*FLIT_WIDTH+:FLIT_WIDTH])
    );
  end
endmodule
