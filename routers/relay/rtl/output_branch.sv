// routers/relay/rtl/output_branch.sv: sends a message along one dimension, or to the local processor.
// SPDX-License-Identifier: Apache-2.0

// It sends k', the addresses, a Control vector if the router is fault-tolerant, and the fields in the
// data buffer; the local processor receives only the last of these.
// Timing: `request` is high from the cycle of `start` until the receiver acknowledges, unless `hold`; the
// first field is sent at the edge that samples `go`, the others follow. Each takes FIELD_CYCLES; `valid`
// is high in the last of them. Reset is synchronous.
// Source: Lan 1988, section 6.4.3; the phases are ours
module output_branch #(
  parameter int unsigned DIMENSIONS = 3,
  parameter int unsigned ROWS = 4,
  parameter int unsigned POINTER = 7,
  parameter int unsigned FIELD_CYCLES = 1,
  parameter bit FAULT_TOLERANT = 1'b0,
  parameter bit LOCAL = 1'b0
) (
  input  logic                       clk,
  input  logic                       reset,
  input  logic                       start,
  input  logic                       hold,  // it must not request its output yet
  input  logic [DIMENSIONS-1:0]      k,
  input  logic [ROWS*DIMENSIONS-1:0] addresses,
  input  logic [DIMENSIONS-1:0]      control,
  input  logic [DIMENSIONS-1:0]      received_k,
  input  logic                       multicast,
  input  logic                       everybody,
  input  logic                       grant,
  input  logic                       go,
  input  logic [DIMENSIONS-1:0]      front,
  input  logic                       ends,
  output logic                       request,
  output logic [DIMENSIONS-1:0]      field,
  output logic                       valid,
  output logic                       eom,
  output logic [POINTER-1:0]         taken,
  output logic                       opened
);
  localparam logic [2:0] IDLE = 3'd0, REQUEST = 3'd1, ACKNOWLEDGE = 3'd2, COUNT = 3'd3, ADDRESS = 3'd4,
                         CONTROL = 3'd5, BUFFER = 3'd6;
  localparam int unsigned BEAT_BITS = $clog2(FIELD_CYCLES + 1);

  logic [2:0] phase;
  // The header, which the next selection overwrites in the Processing Module.
  logic [DIMENSIONS-1:0] sent_k;
  logic [DIMENSIONS-1:0] listed;
  logic [ROWS*DIMENSIONS-1:0] list;  // the next address in the lowest bits
  logic list_in_buffer;
  logic [DIMENSIONS-1:0] vector;
  // What has been sent.
  logic [DIMENSIONS-1:0] sent;  // addresses
  logic [BEAT_BITS-1:0] beats;
  logic last;

  logic opens;
  logic advances;
  logic finishes;
  logic takes;
  logic [2:0] next;
  logic [DIMENSIONS-1:0] came;

  assign opens = phase == IDLE && start;
  assign request = ((start || phase == REQUEST) && !hold) || phase == ACKNOWLEDGE;
  assign opened = start || phase != IDLE;
  assign came = everybody ? '0 : received_k;

  // A field is sent, or the last one has been.
  assign advances = phase == ACKNOWLEDGE ? go
                                         : phase > ACKNOWLEDGE && beats == BEAT_BITS'(FIELD_CYCLES - 1);
  assign finishes = advances && last;
  always_comb begin
    case (phase)
      ACKNOWLEDGE: next = LOCAL ? BUFFER : COUNT;
      COUNT, ADDRESS:
        next = sent < listed ? ADDRESS : FAULT_TOLERANT ? CONTROL : BUFFER;
      default: next = BUFFER;
    endcase
  end
  assign takes = next == BUFFER || (next == ADDRESS && list_in_buffer);

  always_ff @(posedge clk) begin
    if (reset) phase <= IDLE;
    else if (opens || phase == REQUEST) phase <= grant ? ACKNOWLEDGE : REQUEST;
    else if (finishes) phase <= IDLE;
    else if (advances) phase <= next;
  end

  always_ff @(posedge clk) begin
    if (opens) begin
      list_in_buffer <= !multicast;
      sent_k <= multicast ? k : received_k;
      listed <= multicast ? k : came;
      vector <= control;
    end
  end

  always_ff @(posedge clk) begin
    if (opens) list <= addresses;
    else if (advances && next == ADDRESS) list <= list >> DIMENSIONS;
  end

  always_ff @(posedge clk) begin
    if (reset || finishes) begin
      taken <= '0;
    end else if (opens) begin
      sent <= '0;
      taken <= LOCAL && !multicast ? POINTER'(came) : '0;
    end else if (advances) begin
      if (next == ADDRESS) sent <= sent + 1'b1;
      if (takes) taken <= taken + 1'b1;
    end
  end

  always_ff @(posedge clk) begin
    if (advances && !last) begin
      case (next)
        COUNT: field <= sent_k;
        ADDRESS: field <= list_in_buffer ? front : list[DIMENSIONS-1:0];
        CONTROL: field <= vector;
        default: field <= front;
      endcase
    end
  end

  always_ff @(posedge clk) begin
    if (reset || opens || finishes) begin
      last <= 1'b0;
      valid <= 1'b0;
      eom <= 1'b0;
      beats <= '0;
    end else if (advances) begin
      last <= next == BUFFER && ends;
      valid <= FIELD_CYCLES == 1;
      eom <= FIELD_CYCLES == 1 && next == BUFFER && ends;
      beats <= '0;
    end else if (phase > ACKNOWLEDGE) begin
      beats <= beats + 1'b1;
      valid <= 32'(beats) + 2 == FIELD_CYCLES;
      eom <= 32'(beats) + 2 == FIELD_CYCLES && last;
    end
  end
endmodule
