// routers/relay/rtl/half_adder.sv: two bits of one weight into one bit of it and one of the next.
// SPDX-License-Identifier: Apache-2.0
module half_adder (
  input  logic a,
  input  logic b,
  output logic sum,
  output logic carry
);
  assign sum = a ^ b;
  assign carry = a & b;
endmodule
