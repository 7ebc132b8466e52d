// routers/relay/rtl/ones_counter.sv: how many bits are set, by a Wallace tree of adders.
// SPDX-License-Identifier: Apache-2.0

// One bit of weight 1 remains of all bits; the BITS / 2 carries are counted in the same way, as the
// upper bits of the count. Source: Lan 1988, section 6.6.1, Fig. 6.7
module ones_counter #(
  parameter int unsigned BITS = 1
) (
  input  logic [BITS-1:0]             bits,
  output logic [$clog2(BITS + 1)-1:0] count
);
  if (BITS == 1) begin : one
    assign count = bits;
  end else begin : more
    localparam int unsigned ADDERS = (BITS - 1) / 2;
    localparam int unsigned CARRIES = BITS / 2;

    // The adders take their bits from the front of a queue and append their sums, so that the sums
    // of one layer of the tree are adjacent.
    logic [BITS+ADDERS-1:0] queue /* verilator split_var */;
    logic [CARRIES-1:0] carries;

    assign queue[BITS-1:0] = bits;
    for (genvar i = 0; i < ADDERS; i++) begin : tree
      full_adder adder (
        .a(queue[3*i]), .b(queue[3*i+1]), .c(queue[3*i+2]), .sum(queue[BITS+i]), .carry(carries[i])
      );
    end
    if (BITS % 2 == 0) begin : even
      half_adder adder (
        .a(queue[3*ADDERS]), .b(queue[3*ADDERS+1]), .sum(count[0]), .carry(carries[ADDERS])
      );
    end else begin : odd
      assign count[0] = queue[3*ADDERS];
    end
    ones_counter #(.BITS(CARRIES)) upper (.bits(carries), .count(count[$high(count):1]));
  end
endmodule
