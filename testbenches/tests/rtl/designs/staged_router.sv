// testbenches/tests/rtl/designs/staged_router.sv: a wormhole router with two virtual channels and a
// register behind each output.
// SPDX-License-Identifier: Apache-2.0

// A second router for tests of port maps, unlike those of routers/rtl: pins per port, a packed struct,
// an asynchronous reset that is active low, a credit bit per virtual channel, and a stage more: a flit
// takes one cycle from the crossbar to the pins.
//
// XY routing. A head takes the lowest free virtual channel of its output, and holds it until its tail
// has left. In each cycle one flit leaves each input and each output; the output that chooses first
// changes in each cycle. Sizes: 4 slots per virtual channel, here and in the next router.
// [ports]
module staged_router
  import staged_flit::flit_t;
(
  input  logic       clk,
  input  logic       rst_n,
  input  logic [3:0] my_x,
  input  logic [3:0] my_y,

  input  logic       east_in_valid, west_in_valid, north_in_valid, south_in_valid, local_in_valid,
  input  flit_t      east_in_flit, west_in_flit, north_in_flit, south_in_flit, local_in_flit,
  output logic [1:0] east_in_credit, west_in_credit, north_in_credit, south_in_credit, local_in_credit,

  output logic       east_out_valid, west_out_valid, north_out_valid, south_out_valid, local_out_valid,
  output flit_t      east_out_flit, west_out_flit, north_out_flit, south_out_flit, local_out_flit,
  input  logic [1:0] east_out_credit, west_out_credit, north_out_credit, south_out_credit,
  input  logic [1:0] local_out_credit
);
// [ports]
  localparam int PORTS = 5;  // east, west, north, south, local
  localparam int VCS = 2;
  localparam int QUEUES = PORTS * VCS;  // of port p and virtual channel v: p * VCS + v
  localparam int DEPTH = 4;

  logic [PORTS-1:0] in_valid;
  flit_t in_flit [PORTS];
  logic [QUEUES-1:0] out_credit;
  assign in_valid = {local_in_valid, south_in_valid, north_in_valid, west_in_valid, east_in_valid};
  assign in_flit[0] = east_in_flit;
  assign in_flit[1] = west_in_flit;
  assign in_flit[2] = north_in_flit;
  assign in_flit[3] = south_in_flit;
  assign in_flit[4] = local_in_flit;
  assign out_credit = {local_out_credit, south_out_credit, north_out_credit, west_out_credit, east_out_credit};

  // State: of the queues of inputs, then of the virtual channels of outputs.
  flit_t slots [QUEUES][DEPTH], slots_next [QUEUES][DEPTH];
  logic [1:0] first [QUEUES], first_next [QUEUES];
  logic [2:0] count [QUEUES], count_next [QUEUES];
  logic [QUEUES-1:0] assigned, assigned_next;  // the packet at the front has a virtual channel
  logic [3:0] target [QUEUES], target_next [QUEUES];  // that one
  logic [QUEUES-1:0] held, held_next;
  logic [2:0] credits [QUEUES], credits_next [QUEUES];
  logic [3:0] turn [PORTS], turn_next [PORTS];  // the queue that an output grants first
  logic [2:0] leader, leader_next;  // the output that chooses first

  logic [PORTS-1:0] crossed, crossed_next, leaves;  // the stage more, and the pins
  flit_t crossed_flit [PORTS], crossed_flit_next [PORTS], leaving [PORTS];
  logic [QUEUES-1:0] freed, freed_next;

  function automatic logic [2:0] route(input logic [3:0] x, input logic [3:0] y, input logic [3:0] from_x,
                                       input logic [3:0] from_y);
    if (x > from_x) return 3'd0;
    if (x < from_x) return 3'd1;
    if (y > from_y) return 3'd2;
    if (y < from_y) return 3'd3;
    return 3'd4;
  endfunction

  // One after another, wrapping around.
  function automatic logic [3:0] queue_after(input logic [3:0] queue, input logic [3:0] steps);
    logic [4:0] sum;
    sum = {1'b0, queue} + {1'b0, steps};
    return sum >= 5'(QUEUES) ? 4'(sum - 5'(QUEUES)) : sum[3:0];
  endfunction

  always_comb begin
    logic [3:0] queue;
    logic [3:0] channel;
    logic [2:0] port;
    logic [2:0] out;
    logic [PORTS-1:0] used;
    flit_t flit;
    slots_next = slots;
    first_next = first;
    count_next = count;
    assigned_next = assigned;
    target_next = target;
    held_next = held;
    credits_next = credits;
    turn_next = turn;
    leader_next = leader == 3'd4 ? 3'd0 : leader + 3'd1;
    crossed_next = '0;
    crossed_flit_next = crossed_flit;
    freed_next = '0;
    used = '0;
    queue = '0;
    channel = '0;
    port = '0;
    out = '0;
    flit = '0;

    // Flits and credits arrive.
    for (int p = 0; p < PORTS; p++) begin
      queue = 4'(2 * p) + {3'd0, in_flit[p].vc};
      if (in_valid[p]) begin
        slots_next[queue][first_next[queue] + count_next[queue][1:0]] = in_flit[p];
        count_next[queue] = count_next[queue] + 3'd1;
      end
    end
    for (int q = 0; q < QUEUES; q++)
      credits_next[q] = credits_next[q] + {2'd0, out_credit[q]};

    // Heads take virtual channels.
    for (int q = 0; q < QUEUES; q++) begin
      flit = slots_next[q][first_next[q]];
      channel = {route(flit.to.x, flit.to.y, my_x, my_y), 1'b0};
      if (count_next[q] != 0 && !assigned_next[q]) begin
        if (held_next[channel]) channel[0] = 1'b1;
        if (!held_next[channel]) begin
          held_next[channel] = 1'b1;
          assigned_next[q] = 1'b1;
          target_next[q] = channel;
        end
      end
    end

    // Flits cross.
    for (int o = 0; o < PORTS; o++) begin
      queue = 4'(o) + {1'b0, leader};
      out = queue >= 4'd5 ? 3'(queue - 4'd5) : queue[2:0];
      for (int k = 0; k < QUEUES; k++) begin
        queue = queue_after(turn[out], 4'(k));
        port = queue[3:1];
        channel = target_next[queue];
        flit = slots_next[queue][first_next[queue]];
        if (!crossed_next[out] && !used[port] && count_next[queue] != 0 && assigned_next[queue] &&
            channel[3:1] == out && credits_next[channel] != 0) begin
          used[port] = 1'b1;
          crossed_next[out] = 1'b1;
          crossed_flit_next[out] = flit;
          crossed_flit_next[out].vc = channel[0];
          turn_next[out] = queue_after(queue, 4'd1);
          credits_next[channel] = credits_next[channel] - 3'd1;
          first_next[queue] = first_next[queue] + 2'd1;
          count_next[queue] = count_next[queue] - 3'd1;
          freed_next[queue] = 1'b1;
          if (flit.tail) begin
            assigned_next[queue] = 1'b0;
            held_next[channel] = 1'b0;
          end
        end
      end
    end
  end

  always_ff @(posedge clk) begin
    slots <= slots_next;
    crossed_flit <= crossed_flit_next;
    leaving <= crossed_flit;
  end

  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      for (int q = 0; q < QUEUES; q++) begin
        first[q] <= '0;
        count[q] <= '0;
        target[q] <= '0;
        credits[q] <= 3'(DEPTH);
      end
      for (int p = 0; p < PORTS; p++) turn[p] <= '0;
      assigned <= '0;
      held <= '0;
      leader <= '0;
      crossed <= '0;
      leaves <= '0;
      freed <= '0;
    end else begin
      first <= first_next;
      count <= count_next;
      target <= target_next;
      credits <= credits_next;
      turn <= turn_next;
      assigned <= assigned_next;
      held <= held_next;
      leader <= leader_next;
      crossed <= crossed_next;
      leaves <= crossed;
      freed <= freed_next;
    end

  assign {local_in_credit, south_in_credit, north_in_credit, west_in_credit, east_in_credit} = freed;
  assign {local_out_valid, south_out_valid, north_out_valid, west_out_valid, east_out_valid} = leaves;
  assign east_out_flit = leaving[0];
  assign west_out_flit = leaving[1];
  assign north_out_flit = leaving[2];
  assign south_out_flit = leaving[3];
  assign local_out_flit = leaving[4];
endmodule
