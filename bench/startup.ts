/** `node bench/startup.ts`: start of the program against an empty Node; ends with 1 above the ratio we allow. */
import { measureStart } from '../test/support/start-time.ts';

const allowedRatio = 1.5;
const { emptyMs, versionMs, ratio } = measureStart();
console.log(
  `node -e 0 ${emptyMs.toFixed(0)} ms, slipway --version ${versionMs.toFixed(0)} ms: ${ratio.toFixed(2)} of ${allowedRatio}`,
);
process.exitCode = ratio <= allowedRatio ? 0 : 1;
