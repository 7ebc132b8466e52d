// routers/relay/rtl/full_adder.sv: three bits of one weight into one bit of it and one of the next.
// SPDX-License-Identifier: Apache-2.0
module full_adder (
  input  logic a,
  input  logic b,
  input  logic c,
  output logic sum,
  output logic carry
);
  assign sum = a ^ b ^ c;
  assign carry = (a & b) | (a & c) | (b & c);
endmodule
