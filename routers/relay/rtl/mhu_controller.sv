// routers/relay/rtl/mhu_controller.sv: the states of a message handling unit, and its timers.
// SPDX-License-Identifier: Apache-2.0

// Timing: INPUT begins at the edge at which `rts` is sampled in WAIT; `ack` rises at that edge, or
// ANSWER_CYCLES later, and falls at the edge at which `eom` is sampled. The edges with `cycle` are
// SELECTION_CYCLES, 2 SELECTION_CYCLES ... after the one at which the header is complete. `state` is
// OUTPUT as soon as a cycle has ended and nothing is left to select. `clear` is high before the edge
// that leads back to WAIT. Reset is synchronous.
// Source: Lan 1988, section 6.4.1; the guards are ours
module mhu_controller #(
  parameter int unsigned SELECTION_CYCLES = 10,  // T_c. Range: 1 and more
  parameter int unsigned ANSWER_CYCLES = 0,
  parameter bit STORES = 1'b0  // a message is processed when all of it has arrived
) (
  input  logic       clk,
  input  logic       reset,
  input  logic       rts,
  input  logic       valid,
  input  logic       eom,
  input  logic       field_source,  // the header is complete
  input  logic       message_done,
  input  logic       multicast,
  input  logic       terminates,
  input  logic       left,
  input  logic       all_done,  // no branch is open
  output logic       ack,
  output logic [1:0] state,
  output logic       cycle,
  output logic       clear
);
  localparam logic [1:0] WAIT = 2'd0, INPUT = 2'd1, PROCESSING = 2'd2, OUTPUT = 2'd3;
  localparam int unsigned TIMER_BITS = $clog2(SELECTION_CYCLES + 1);
  localparam logic [TIMER_BITS-1:0] TIMER_START = TIMER_BITS'(SELECTION_CYCLES - 1);
  localparam int unsigned ANSWER_BITS = ANSWER_CYCLES == 0 ? 1 : $clog2(ANSWER_CYCLES + 1);

  logic [1:0] phase;  // the state at the last edge
  logic [ANSWER_BITS-1:0] answer;
  logic [TIMER_BITS-1:0] timer;
  logic cycled;  // a routing cycle has ended
  logic headed;  // the header is complete
  logic finished;
  logic sends;
  logic ready;

  assign finished = cycled && (multicast ? terminates : !left);
  assign sends = phase == OUTPUT || (phase == PROCESSING && finished);
  assign state = sends ? OUTPUT : phase;
  assign cycle = phase == PROCESSING && !finished && timer == '0;
  assign clear = sends && all_done && message_done;
  assign ready = (field_source || headed) && (!STORES || message_done || (valid && eom));

  always_ff @(posedge clk) begin
    if (reset) phase <= WAIT;
    else if (clear) phase <= WAIT;
    else if (phase == WAIT && rts) phase <= INPUT;
    else if (phase == INPUT && ready) phase <= PROCESSING;
    else if (sends) phase <= OUTPUT;
  end

  always_ff @(posedge clk) begin
    if (reset) begin
      ack <= 1'b0;
      answer <= '0;
    end else if (phase == WAIT && rts) begin
      ack <= ANSWER_CYCLES == 0;
      answer <= ANSWER_BITS'(ANSWER_CYCLES);
    end else begin
      if (answer != '0) answer <= answer - 1'b1;
      if (answer == ANSWER_BITS'(1)) ack <= 1'b1;
      else if (valid && eom) ack <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    if (reset) begin
      timer <= '0;
      cycled <= 1'b0;
      headed <= 1'b0;
    end else if (phase == INPUT) begin
      headed <= (field_source || headed) && !ready;
      if (ready) begin
        cycled <= 1'b0;
        timer <= TIMER_START;
      end
    end else if (phase == PROCESSING) begin
      timer <= timer == '0 ? TIMER_START : timer - 1'b1;
      if (cycle) cycled <= 1'b1;
    end
  end
endmodule
