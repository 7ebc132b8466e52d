// routers/rtl/offer_turn.sv: chooses the virtual channel whose flit is offered.
// SPDX-License-Identifier: Apache-2.0

// Round robin after the virtual channel of which a flit was accepted last, at first the highest.
// Unlike in round_robin.sv the turn is that of this cycle's acceptance, and a choice does not move it.
module offer_turn #(
  parameter int VCS = 1
) (
  input  logic           clk,
  input  logic           reset,
  input  logic [VCS-1:0] accepted,  // one-hot or 0
  input  logic [VCS-1:0] offers,
  output logic [VCS-1:0] choice  // one-hot, or 0 without offers
);
  logic [VCS-1:0] stored;
  logic [VCS-1:0] beyond;  // the virtual channels after the one accepted last
  logic [VCS-1:0] preferred;
  logic [VCS-1:0] pool;

  assign beyond = |accepted ? ~(accepted | (accepted - VCS'(1))) : stored;
  assign preferred = offers & beyond;
  assign pool = |preferred ? preferred : offers;
  assign choice = pool & (~pool + VCS'(1));  // the lowest

  always_ff @(posedge clk)
    if (reset) stored <= '0;
    else stored <= beyond;
endmodule
