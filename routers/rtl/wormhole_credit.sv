// routers/rtl/wormhole_credit.sv: an input-queued wormhole router under the credit handshake.
// SPDX-License-Identifier: Apache-2.0

// Cycle for cycle the router of docs/timing.md, "The router, exactly", with merged stages, round-robin
// arbiters and dimension-order routing. Preset single_cycle: the four delays are 0.
//
// Ports are numbered: 2d to greater coordinates of dimension d, 2d + 1 to smaller ones, then local
// ports. Port p has bit p of a vector, or the bits from p * width on. Inputs of ports without a channel
// are 0. A flit that is valid at an edge is accepted at that edge; all outputs are registers. A sender
// has DEPTH credits per virtual channel after reset, and a credit is a pulse of one cycle.
//
// Fields of a flit, by offset: TAIL_AT one bit, VC_AT the virtual channel (VC_WIDTH bits; read and
// written with VCS > 1 only), DESTINATION_AT the coordinates of the destination, dimension 0 lowest;
// of body flits the router reads tail and virtual channel only. All other bits cross unchanged.
//
// Reset, synchronous, reaches all registers but the data of buffers.
module wormhole_credit #(
  parameter int NETWORK_PORTS = 4,  // 2 * DIMENSIONS
  parameter int LOCAL_PORTS = 1,
  parameter int VCS = 1,
  parameter int DEPTH = 4,  // slots of each virtual channel, here and in the next buffers
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
  parameter int DESTINATION_AT = 3,
  localparam int VC_BITS = VCS > 1 ? $clog2(VCS) : 1
) (
  input  logic                                              clk,
  input  logic                                              reset,
  input  logic [DIMENSIONS*COORDINATE_WIDTH-1:0]            here,
  input  logic [DIMENSIONS*COORDINATE_WIDTH-1:0]            size,  // nodes per ring; TORUS only
  input  logic [NETWORK_PORTS+LOCAL_PORTS-1:0]              in_valid,
  input  logic [(NETWORK_PORTS+LOCAL_PORTS)*FLIT_WIDTH-1:0] in_flit,
  output logic [NETWORK_PORTS+LOCAL_PORTS-1:0]              in_credit,  // back to the sender
  output logic [(NETWORK_PORTS+LOCAL_PORTS)*VC_BITS-1:0]    in_credit_vc,
  output logic [NETWORK_PORTS+LOCAL_PORTS-1:0]              out_valid,
  output logic [(NETWORK_PORTS+LOCAL_PORTS)*FLIT_WIDTH-1:0] out_flit,
  input  logic [NETWORK_PORTS+LOCAL_PORTS-1:0]              out_credit,
  input  logic [(NETWORK_PORTS+LOCAL_PORTS)*VC_BITS-1:0]    out_credit_vc
);
  localparam int PORTS = NETWORK_PORTS + LOCAL_PORTS;

  logic [PORTS*VCS-1:0] space;
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
    .clk(clk), .reset(reset), .here(here), .size(size), .arrive(in_valid), .arrive_flit(in_flit),
    .space(space), .send(send), .send_flit(send_flit), .send_vc(send_vc), .freed(freed),
    .has_slot(has_slot)
  );
  logic unused;
  assign unused = &{1'b0, has_slot};  // senders know it by their credits

  for (genvar p = 0; p < PORTS; p = p + 1) begin : port
    credit_output #(
      .VCS(VCS), .DEPTH(DEPTH), .FLIT_WIDTH(FLIT_WIDTH), .TRAVERSAL(TRAVERSAL)
    ) credit_output (
      .clk(clk), .reset(reset), .credit(out_credit[p]),
      .credit_vc(out_credit_vc[p*VC_BITS+:VC_BITS]), .send(send[p]),
      .send_flit(send_flit[p*FLIT_WIDTH+:FLIT_WIDTH]), .send_vc(send_vc[p*VCS+:VCS]),
      .space(space[p*VCS+:VCS]), .out_valid(out_valid[p]),
      .out_flit(out_flit[p*FLIT_WIDTH+:FLIT_WIDTH])
    );

    // A slot that is freed in a cycle is reported at its end.
    logic [VC_BITS-1:0] number;
    always_comb begin
      number = '0;
      for (int v = 0; v < VCS; v = v + 1)
        if (freed[p*VCS+v]) number = number | VC_BITS'(v);
    end
    delay_line #(.WIDTH(VC_BITS), .CYCLES(1)) credit_register (
      .clk(clk), .reset(reset), .in_valid(|freed[p*VCS+:VCS]), .in_data(number),
      .out_valid(in_credit[p]), .out_data(in_credit_vc[p*VC_BITS+:VC_BITS])
    );
  end
endmodule
