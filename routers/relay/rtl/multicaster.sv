// routers/relay/rtl/multicaster.sv: Multicaster, one selection of the greedy multicast, combinational.
// SPDX-License-Identifier: Apache-2.0

// DECR for each column, MAXC, CLMS, ADSC. When `terminates` is on, `selected` is undefined.
// Source: Lan 1988, section 6.6, Fig. 6.6; with FAULT_TOLERANT, section 7.4
module multicaster #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4,
  parameter bit FAULT_TOLERANT = 1'b0
) (
  // a_ij, relative destinations; row i from bit i * DIMENSIONS
  input  logic [ROWS*DIMENSIONS-1:0] rows,
  input  logic [DIMENSIONS-1:0]      faults,    // of the fault-tolerant router
  output logic [DIMENSIONS-1:0]      selected,  // y
  output logic [ROWS-1:0]            sublist,   // r
  output logic                       terminates
);
  logic [DIMENSIONS*(ROWS+1)-1:0] lines;  // c_jl, of column j from bit j * (ROWS + 1)
  logic [ROWS:0] highest;                 // s

  for (genvar j = 0; j < DIMENSIONS; j++) begin : dimension
    logic [ROWS-1:0] column;
    for (genvar i = 0; i < ROWS; i++) begin : row
      assign column[i] = rows[i*DIMENSIONS+j];
    end
    if (FAULT_TOLERANT) begin : gated
      decr_f #(.ROWS(ROWS)) decr (
        .column(column), .faulty(faults[j]), .lines(lines[j*(ROWS+1)+:ROWS+1])
      );
    end else begin : plain
      decr #(.ROWS(ROWS)) decr (.column(column), .lines(lines[j*(ROWS+1)+:ROWS+1]));
    end
  end
  if (!FAULT_TOLERANT) begin : faultless
    logic unused;
    assign unused = &{1'b0, faults};
  end

  maxc #(.DIMENSIONS(DIMENSIONS), .ROWS(ROWS)) maxc (.lines(lines), .highest(highest));
  clms #(.DIMENSIONS(DIMENSIONS), .ROWS(ROWS)) clms (
    .lines(lines), .highest(highest), .selected(selected)
  );
  adsc #(.DIMENSIONS(DIMENSIONS), .ROWS(ROWS)) adsc (
    .rows(rows), .selected(selected), .sublist(sublist)
  );

  // s_0. The selection also ends when no line is on, because every column is faulty: ours.
  assign terminates = ~(|highest[ROWS:1]);
endmodule
