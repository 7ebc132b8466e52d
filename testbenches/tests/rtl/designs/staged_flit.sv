// testbenches/tests/rtl/designs/staged_flit.sv: the flit of staged_router.
// SPDX-License-Identifier: Apache-2.0
package staged_flit;
  // [flit]
  typedef struct packed {
    logic [9:0] tag;  // in simulation only
    logic head;
    struct packed {
      logic [3:0] y;
      logic [3:0] x;
    } to;
    logic [20:0] payload;
    logic vc;
    logic tail;
  } flit_t;
  // [flit]
endpackage
