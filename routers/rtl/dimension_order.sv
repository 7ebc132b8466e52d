// routers/rtl/dimension_order.sv: the next hop, one dimension after the other; combinational.
// SPDX-License-Identifier: Apache-2.0

// Dimension 0 is corrected first: XY on a mesh. Port 2d leads to greater coordinates of dimension d,
// port 2d + 1 to smaller ones. On a torus the shorter direction, the
// positive one where both are equally long; the class of virtual channels is 1 while the wrap channel
// is ahead, else 0. This is algorithms/routing/dimension_order.cpp with its default settings.
// Source: Dally & Seitz 1987
module dimension_order #(
  parameter int DIMENSIONS = 2,
  parameter int COORDINATE_WIDTH = 4,
  parameter int TORUS = 0  // 1: all dimensions wrap
) (
  // Dimension d at bit d * COORDINATE_WIDTH.
  input  logic [DIMENSIONS*COORDINATE_WIDTH-1:0] here,
  input  logic [DIMENSIONS*COORDINATE_WIDTH-1:0] size,  // nodes of a ring; 0: 2^COORDINATE_WIDTH
  input  logic [DIMENSIONS*COORDINATE_WIDTH-1:0] destination,
  output logic [2*DIMENSIONS-1:0]                toward,  // one-hot, or 0 at the destination
  output logic                                   wrap_ahead  // the class; 0 on a mesh
);
  localparam int C = COORDINATE_WIDTH;

  logic [DIMENSIONS-1:0] differs;
  logic [DIMENSIONS-1:0] chosen;  // the first dimension that differs
  logic [DIMENSIONS-1:0] crosses;

  assign chosen = differs & (~differs + DIMENSIONS'(1));
  assign wrap_ahead = |(chosen & crosses);

  for (genvar d = 0; d < DIMENSIONS; d = d + 1) begin : dimension
    logic [C-1:0] at;
    logic [C-1:0] to;
    logic beyond;  // the destination has the greater coordinate
    logic up;

    assign at = here[d*C+:C];
    assign to = destination[d*C+:C];
    assign differs[d] = at != to;
    assign beyond = to > at;
    assign toward[2*d] = chosen[d] & up;
    assign toward[2*d+1] = chosen[d] & ~up;

    if (TORUS != 0) begin : ring
      logic [C:0] extent;
      logic [C:0] upwards;  // hops in the positive direction
      assign extent = {size[d*C+:C] == '0, size[d*C+:C]};
      assign upwards = {1'b0, to} - {1'b0, at} + (beyond ? '0 : extent);
      assign up = {upwards, 1'b0} <= {1'b0, extent};
      assign crosses[d] = up ^ beyond;
    end else begin : line
      assign up = beyond;
      assign crosses[d] = 1'b0;
    end
  end
  if (TORUS == 0) begin : no_rings
    logic unused;
    assign unused = &{1'b0, size};
  end
endmodule
