// routers/rtl/ready_output.sv: an output under the ready_valid handshake.
// SPDX-License-Identifier: Apache-2.0

// Each virtual channel has a queue of 1 + TRAVERSAL flits. A flit that was sent TRAVERSAL cycles ago
// or more may be offered; it stays in its queue until it is accepted.
// Docs: docs/timing.md, "The router, exactly", steps 2, 5 and 7.
module ready_output #(
  parameter int VCS = 1,
  parameter int FLIT_WIDTH = 16,
  parameter int TRAVERSAL = 0
) (
  input  logic                  clk,
  input  logic                  reset,
  input  logic [VCS-1:0]        out_ready,
  input  logic                  send,
  input  logic [FLIT_WIDTH-1:0] send_flit,
  input  logic [VCS-1:0]        send_vc,  // one-hot while `send`
  output logic [VCS-1:0]        space,
  output logic                  out_valid,
  output logic [FLIT_WIDTH-1:0] out_flit
);
  logic [VCS-1:0] offered;   // the virtual channel of the offer; 0: none
  logic [VCS-1:0] accepted;  // its flit is accepted at this edge
  logic [VCS-1:0] due;
  logic [VCS-1:0] certain;  // will be accepted when offered
  logic [VCS-1:0] choice;
  logic [VCS*FLIT_WIDTH-1:0] fronts;
  logic [FLIT_WIDTH-1:0] front;

  assign accepted = offered & out_ready;
  assign certain = due & out_ready & ~accepted;
  for (genvar v = 0; v < VCS; v = v + 1) begin : vc
    output_queue #(.WIDTH(FLIT_WIDTH), .DEPTH(1 + TRAVERSAL), .DELAY(TRAVERSAL)) queue (
      .clk(clk), .reset(reset), .take(accepted[v]), .put(send && send_vc[v]), .flit(send_flit),
      .space(space[v]), .due(due[v]), .front(fronts[v*FLIT_WIDTH+:FLIT_WIDTH])
    );
  end

  // The turn is after the flit accepted last, this cycle included.
  offer_turn #(.VCS(VCS)) turn (
    .clk(clk), .reset(reset), .accepted(accepted), .offers(|certain ? certain : due),
    .choice(choice)
  );
  always_comb begin
    front = '0;
    for (int v = 0; v < VCS; v = v + 1)
      if (choice[v]) front = front | fronts[v*FLIT_WIDTH+:FLIT_WIDTH];
  end
  always_ff @(posedge clk)
    if (reset) begin
      offered <= '0;
      out_valid <= 1'b0;
      out_flit <= '0;
    end else begin
      offered <= choice;
      out_valid <= |choice;
      if (|choice) out_flit <= front;
    end
endmodule
