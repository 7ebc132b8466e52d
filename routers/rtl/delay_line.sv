// routers/rtl/delay_line.sv: a pulse with data, some cycles later.
// SPDX-License-Identifier: Apache-2.0

// With CYCLES 0 a wire.
module delay_line #(
  parameter int WIDTH = 1,
  parameter int CYCLES = 1
) (
  input  logic             clk,
  input  logic             reset,
  input  logic             in_valid,
  input  logic [WIDTH-1:0] in_data,
  output logic             out_valid,
  output logic [WIDTH-1:0] out_data  // keeps its value while `out_valid` is low, unless CYCLES is 0
);
  if (CYCLES == 0) begin : wires
    logic unused;
    assign unused = &{1'b0, clk, reset};
    assign out_valid = in_valid;
    assign out_data = in_data;
  end else begin : registers
    // Stage i at bit i - 1 and at bit (i - 1) * WIDTH; the latest cycle is stage 1.
    logic [CYCLES-1:0] valid;
    logic [CYCLES*WIDTH-1:0] data;
    for (genvar i = 0; i < CYCLES; i = i + 1) begin : stage
      logic comes;
      logic [WIDTH-1:0] value;
      if (i == 0) begin : entry
        assign comes = in_valid;
        assign value = in_data;
      end else begin : inner
        assign comes = valid[i-1];
        assign value = data[(i-1)*WIDTH+:WIDTH];
      end
      always_ff @(posedge clk)
        if (reset) valid[i] <= 1'b0;
        else valid[i] <= comes;
      always_ff @(posedge clk)
        if (reset) data[i*WIDTH+:WIDTH] <= '0;
        else if (comes) data[i*WIDTH+:WIDTH] <= value;
    end
    assign out_valid = valid[CYCLES-1];
    assign out_data = data[(CYCLES-1)*WIDTH+:WIDTH];
  end
endmodule
