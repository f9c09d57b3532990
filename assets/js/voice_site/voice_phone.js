// The sound of a telephone line, which carries 300 to 3,400 Hz: six filters of the Web Audio API.
const EDGES = [
  ["highpass", 300],
  ["lowpass", 3_400],
];
// Three filters in a row with these resonances (dB) fall by 36 dB per octave, and are flat up to the edge (Butterworth).
const RESONANCES = [-5.72, -3.01, 5.72];

let nodes;

export function telephone(context) {
  nodes ??= EDGES.flatMap(([type, frequency]) =>
    RESONANCES.map((Q) => new BiquadFilterNode(context, { type, frequency, Q })),
  );
  return nodes;
}
