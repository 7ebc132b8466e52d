// routers/relay/rtl/address_input_port.sv: Input Port, makes the address in a field relative.
// SPDX-License-Identifier: Apache-2.0

// A Control vector, which the field after the addresses contains in the fault-tolerant router, passes
// unchanged; where the local processor has sent a message that is to be broadcast, it is replaced by
// all ones, since a processor need not know m.
// Source: Lan 1988, sections 6.5.1 and 7.4
module address_input_port #(
  parameter int unsigned DIMENSIONS = 3,
  parameter bit FAULT_TOLERANT = 1'b0,
  parameter bit LOCAL = 1'b0  // at the gateway of the local processor
) (
  input  logic [DIMENSIONS-1:0] field,
  input  logic                  field_source,  // it is the source or a Control vector
  input  logic                  multicast,     // of the Type Checker
  input  logic [DIMENSIONS-1:0] local_addr,
  output logic [DIMENSIONS-1:0] relative
);
  if (FAULT_TOLERANT) begin : control
    logic everybody;
    assign everybody = LOCAL && !multicast;
    always_comb begin
      if (!field_source) relative = field ^ local_addr;
      else relative = field | {DIMENSIONS{everybody}};
    end
  end else begin : source
    logic unused;
    assign unused = &{1'b0, field_source, multicast};
    assign relative = field ^ local_addr;
  end
endmodule
