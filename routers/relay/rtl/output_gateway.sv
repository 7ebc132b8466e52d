// routers/relay/rtl/output_gateway.sv: grants a link to one message handling unit after the other.
// SPDX-License-Identifier: Apache-2.0

// Each has it for a message. ARBITRATION: 0 first come, first served, and the lowest of simultaneous
// requests; 1 the next after the last one served; 2 the lowest.
// Timing: a free gateway grants and raises `link_rts` in the cycle of the request; it is free again from
// the edge that samples `eom` on. From the edge that samples `link_ack` on, the unit's wires are those of
// the link. Reset is synchronous.
// Source: Lan 1988, section 6.3; the order is ours
module output_gateway #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ARBITRATION = 0,
  parameter int unsigned UNITS = DIMENSIONS + 1
) (
  input  logic                        clk,
  input  logic                        reset,
  input  logic [UNITS-1:0]            request,
  output logic [UNITS-1:0]            grant,
  output logic [UNITS-1:0]            go,
  input  logic [UNITS*DIMENSIONS-1:0] unit_flit,
  input  logic [UNITS-1:0]            unit_valid,
  input  logic [UNITS-1:0]            unit_eom,
  output logic                        link_rts,
  input  logic                        link_ack,
  output logic [DIMENSIONS-1:0]       link_flit,
  output logic                        link_valid,
  output logic                        link_eom
);
  localparam logic [1:0] FREE = 2'd0, REQUEST = 2'd1, STREAM = 2'd2;

  logic [1:0] phase;
  logic [UNITS-1:0] holder;  // one-hot
  logic [UNITS-1:0] chosen;  // one-hot, or 0
  logic streams;

  if (ARBITRATION == 0) begin : first_come
    line_order #(.MEMBERS(UNITS)) line_order (
      .clk(clk), .reset(reset), .present(request), .first(chosen)
    );
  end else if (ARBITRATION == 1) begin : round_robin
    logic [UNITS-1:0] above;  // the units after the last one served
    logic [UNITS-1:0] later;
    assign later = request & above;
    assign chosen = (|later) ? later & (~later + 1'b1) : request & (~request + 1'b1);
    always_ff @(posedge clk) begin
      if (reset) above <= '0;
      else if (phase == FREE && (|request)) above <= ~(chosen | (chosen - 1'b1));
    end
  end else begin : fixed
    assign chosen = request & (~request + 1'b1);
  end

  assign streams = phase == STREAM;
  assign grant = phase == FREE ? chosen : holder;
  assign go = holder & {UNITS{phase == REQUEST && link_ack}};
  assign link_rts = phase == FREE ? (|request) : phase == REQUEST;
  assign link_valid = streams && (|(unit_valid & holder));
  assign link_eom = streams && (|(unit_eom & holder));
  always_comb begin
    link_flit = '0;
    for (int i = 0; i < UNITS; i++)
      if (streams && holder[i]) link_flit = link_flit | unit_flit[i*DIMENSIONS+:DIMENSIONS];
  end

  always_ff @(posedge clk) begin
    if (reset) begin
      phase <= FREE;
      holder <= '0;
    end else begin
      case (phase)
        FREE:
          if (|request) begin
            holder <= chosen;
            phase <= REQUEST;
          end
        REQUEST: if (link_ack) phase <= STREAM;
        default: if (link_valid && link_eom) phase <= FREE;
      endcase
    end
  end
endmodule
