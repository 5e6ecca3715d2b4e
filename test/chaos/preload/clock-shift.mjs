// Loaded into one process before its own modules: at each SIGUSR2 its clock jumps, five minutes ahead, then five
// minutes behind, then back to the right time.
const SHIFTS_MS = [5 * 60_000, -5 * 60_000, 0];
const RightDate = Date;
let jumps = 0;
let shiftMs = 0;

class ShiftedDate extends RightDate {
  constructor(...parts) {
    if (parts.length === 0) super(RightDate.now() + shiftMs);
    else super(...parts);
  }

  static now() {
    return RightDate.now() + shiftMs;
  }
}

globalThis.Date = ShiftedDate;
process.on('SIGUSR2', () => {
  shiftMs = SHIFTS_MS[jumps % SHIFTS_MS.length];
  jumps += 1;
});
