// testbenches/tests/rtl/every_size.sv: the combinational blocks in every size that tests compare.
// SPDX-License-Identifier: Apache-2.0

// All sizes share the inputs. Each size uses the bits that it has wires for; outputs that it does not
// drive are zero. The inner signals s* and y* of the Multicasters are outputs as well.
module every_size #(
  parameter int unsigned FEWEST_DIMENSIONS = 2,
  parameter int unsigned MOST_DIMENSIONS = 6,
  parameter int unsigned MOST_ROWS = 10,
  localparam int unsigned CUBES = MOST_DIMENSIONS - FEWEST_DIMENSIONS + 1
) (
  input  logic [MOST_DIMENSIONS-1:0] rows [MOST_ROWS],
  input  logic [MOST_DIMENSIONS-1:0] faults,
  input  logic [MOST_DIMENSIONS-1:0] word,  // the relative source, Control, k or a destination

  // [plain or fault-tolerant][dimensions][rows]
  output logic [MOST_ROWS:0]         lines [2][CUBES][MOST_ROWS][MOST_DIMENSIONS],
  output logic [MOST_ROWS:0]         found [2][CUBES][MOST_ROWS],
  output logic [MOST_ROWS:0]         highest [2][CUBES][MOST_ROWS],
  output logic [MOST_DIMENSIONS-1:0] fullest [2][CUBES][MOST_ROWS],
  output logic [MOST_DIMENSIONS-1:0] selected [2][CUBES][MOST_ROWS],
  output logic [MOST_ROWS-1:0]       sublist [2][CUBES][MOST_ROWS],
  output logic                       terminates [2][CUBES][MOST_ROWS],
  output logic                       multicast [CUBES][MOST_ROWS],

  output logic [MOST_DIMENSIONS-1:0] send [CUBES],
  output logic [MOST_DIMENSIONS-1:0] send_f [CUBES],
  output logic [MOST_DIMENSIONS-1:0] onward [CUBES][MOST_DIMENSIONS],
  output logic                       at_home [CUBES]
);
  for (genvar c = 0; c < int'(CUBES); ++c) begin : cube
    localparam int unsigned N = FEWEST_DIMENSIONS + c;

    for (genvar r = 0; r < int'(MOST_ROWS); ++r) begin : store
      localparam int unsigned M = r + 1;

      logic [M-1:0][N-1:0] contents;
      for (genvar i = 0; i < int'(M); ++i) begin : row
        assign contents[i] = rows[i][N-1:0];
      end

      for (genvar f = 0; f < 2; ++f) begin : build
        logic [N-1:0] y;
        logic [M-1:0] sublist_m;

        multicaster #(.DIMENSIONS(N), .ROWS(M), .FAULT_TOLERANT(f == 1)) block (
          .rows(contents), .faults(faults[N-1:0]), .selected(y), .sublist(sublist_m),
          .terminates(terminates[f][c][r])
        );
        for (genvar j = 0; j < int'(MOST_DIMENSIONS); ++j) begin : column
          if (j < int'(N)) begin : wired
            assign lines[f][c][r][j] = (MOST_ROWS + 1)'(block.lines[j*(M+1)+:M+1]);
          end else begin : absent
            assign lines[f][c][r][j] = '0;
          end
        end
        assign found[f][c][r] = (MOST_ROWS + 1)'(block.maxc.found);
        assign highest[f][c][r] = (MOST_ROWS + 1)'(block.highest);
        assign fullest[f][c][r] = MOST_DIMENSIONS'(block.clms.fullest);
        assign selected[f][c][r] = MOST_DIMENSIONS'(y);
        assign sublist[f][c][r] = MOST_ROWS'(sublist_m);
      end

      type_checker #(.DIMENSIONS(N), .ROWS(M)) type_checker (
        .k(word[N-1:0]), .multicast(multicast[c][r])
      );
    end

    logic [N-1:0] send_n;
    logic [N-1:0] send_f_n;
    logic [N-1:0][N-1:0] onward_n;

    broadcaster #(.DIMENSIONS(N)) broadcaster (.source(word[N-1:0]), .send(send_n));
    broadcaster_f #(.DIMENSIONS(N)) broadcaster_f (
      .control(word[N-1:0]), .faults(faults[N-1:0]), .send(send_f_n), .onward(onward_n)
    );
    matching_checker #(.DIMENSIONS(N)) matching_checker (
      .relative(word[N-1:0]), .at_home(at_home[c])
    );
    assign send[c] = MOST_DIMENSIONS'(send_n);
    assign send_f[c] = MOST_DIMENSIONS'(send_f_n);
    for (genvar j = 0; j < int'(MOST_DIMENSIONS); ++j) begin : dimension
      if (j < int'(N)) begin : wired
        assign onward[c][j] = MOST_DIMENSIONS'(onward_n[j]);
      end else begin : absent
        assign onward[c][j] = '0;
      end
    end
  end
endmodule
