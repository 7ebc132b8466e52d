// routers/rtl/round_robin.sv: an arbiter that grants the next request in turn.
// SPDX-License-Identifier: Apache-2.0

// The winner is the first requester after the one served last, which is at first the highest number.
module round_robin #(
  parameter int REQUESTERS = 2
) (
  input  logic                  clk,
  input  logic                  reset,
  input  logic [REQUESTERS-1:0] requests,
  input  logic                  served,  // the grant of this cycle is used; never without requests
  output logic [REQUESTERS-1:0] grant    // one-hot, or 0 without requests
);
  logic [REQUESTERS-1:0] beyond;  // the requesters after the one served last
  logic [REQUESTERS-1:0] preferred;
  logic [REQUESTERS-1:0] pool;

  assign preferred = requests & beyond;
  assign pool = |preferred ? preferred : requests;
  assign grant = pool & (~pool + REQUESTERS'(1));  // the lowest

  always_ff @(posedge clk)
    if (reset) beyond <= '0;
    else if (served) beyond <= ~(grant | (grant - REQUESTERS'(1)));
endmodule
