// routers/relay/rtl/broadcaster_f.sv: Broadcaster of the fault-tolerant router, by Control vectors.
// SPDX-License-Identifier: Apache-2.0

// The Control vector that is sent along dimension i lists the dimensions left to its receiver: for
// b > i bit b as it arrived; for b < i only bits of faulty dimensions, which the receiver serves
// instead.
// Source: Lan 1988, section 7.4, Fig. 7.10
module broadcaster_f #(
  parameter int unsigned DIMENSIONS = 3
) (
  input  logic [DIMENSIONS-1:0]            control,
  input  logic [DIMENSIONS-1:0]            faults,
  output logic [DIMENSIONS-1:0]            send,
  output logic [DIMENSIONS*DIMENSIONS-1:0] onward  // along dimension i from bit i * DIMENSIONS
);
  assign send = control & ~faults;
  for (genvar i = 0; i < DIMENSIONS; i++) begin : dimension
    for (genvar b = 0; b < DIMENSIONS; b++) begin : bit_of
      if (b > i) begin : above
        assign onward[i*DIMENSIONS+b] = control[b];
      end else if (b == i) begin : own
        assign onward[i*DIMENSIONS+b] = 1'b0;
      end else begin : below
        assign onward[i*DIMENSIONS+b] = control[b] & faults[b];
      end
    end
  end
endmodule
