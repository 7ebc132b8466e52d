// routers/rtl/credit_output.sv: an output under the credit handshake.
// SPDX-License-Identifier: Apache-2.0

// A credit that arrives counts at once. A flit is on the wires TRAVERSAL cycles after the end of the
// cycle in which it was sent.
module credit_output #(
  parameter int VCS = 1,
  parameter int DEPTH = 4,  // slots of each virtual channel in the next buffer
  parameter int FLIT_WIDTH = 16,
  parameter int TRAVERSAL = 0,
  localparam int VC_BITS = VCS > 1 ? $clog2(VCS) : 1
) (
  input  logic                  clk,
  input  logic                  reset,
  input  logic                  credit,
  input  logic [VC_BITS-1:0]    credit_vc,
  input  logic                  send,
  input  logic [FLIT_WIDTH-1:0] send_flit,
  input  logic [VCS-1:0]        send_vc,  // one-hot while `send`
  output logic [VCS-1:0]        space,
  output logic                  out_valid,
  output logic [FLIT_WIDTH-1:0] out_flit
);
  localparam int COUNT = $clog2(DEPTH + 1);

  for (genvar v = 0; v < VCS; v = v + 1) begin : vc
    logic [COUNT-1:0] credits;
    logic returned;
    logic used;
    if (VCS == 1) begin : only_vc
      assign returned = credit;
    end else begin : one_of_vcs
      assign returned = credit && credit_vc == VC_BITS'(v);
    end
    assign used = send && send_vc[v];
    assign space[v] = credits != '0 || returned;
    always_ff @(posedge clk)
      if (reset) credits <= COUNT'(DEPTH);
      else credits <= credits + COUNT'(returned) - COUNT'(used);
  end
  if (VCS == 1) begin : no_number
    logic unused;
    assign unused = &{1'b0, credit_vc};
  end

  delay_line #(.WIDTH(FLIT_WIDTH), .CYCLES(1 + TRAVERSAL)) traversal (
    .clk(clk), .reset(reset), .in_valid(send), .in_data(send_flit), .out_valid(out_valid),
    .out_data(out_flit)
  );
endmodule
