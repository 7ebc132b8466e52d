// routers/relay/rtl/broadcaster.sv: Broadcaster, along which dimensions a broadcast continues.
// SPDX-License-Identifier: Apache-2.0

// g_j = AND of NOT a_s,p over j <= p < n, a_s being the relative source.
// Source: Lan 1988, section 6.5.6, Fig. 6.5, which calls it the source, and where overbars are lost
module broadcaster #(
  parameter int unsigned DIMENSIONS = 3
) (
  input  logic [DIMENSIONS-1:0] source,
  output logic [DIMENSIONS-1:0] send
);
  for (genvar j = 0; j < DIMENSIONS; j++) begin : dimension
    assign send[j] = &(~source[DIMENSIONS-1:j]);
  end
endmodule
