// routers/relay/rtl/input_gateway.sv: connects a link's wires to its message handling unit.
// SPDX-License-Identifier: Apache-2.0

// Timing: combinational
// Source: Lan 1988, section 6.3
module input_gateway #(
  parameter int unsigned DIMENSIONS = 3
) (
  input  logic                  link_rts,
  output logic                  link_ack,
  input  logic [DIMENSIONS-1:0] link_flit,
  input  logic                  link_valid,
  input  logic                  link_eom,
  output logic                  unit_rts,
  input  logic                  unit_ack,
  output logic [DIMENSIONS-1:0] unit_flit,
  output logic                  unit_valid,
  output logic                  unit_eom
);
  assign unit_rts = link_rts;
  assign unit_flit = link_flit;
  assign unit_valid = link_valid;
  assign unit_eom = link_eom;
  assign link_ack = unit_ack;
endmodule
