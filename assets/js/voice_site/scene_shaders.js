// The WebGL shaders of the scene: five ribbons of light. Their slow warp is computed at the points of a
// grid, the light between them at each pixel, by the graphics processor.
export const RIBBONS = 5;

// The hash uses whole numbers below 2^24, which every graphics processor computes alike: the picture
// equals the still image everywhere.
export const VERTEX = `
attribute vec2 at;
uniform vec4 window;
uniform vec2 phase;
varying vec2 q;
varying vec3 warp[${RIBBONS}];
float shuffled(float n) { return mod((34. * n + 1.) * n, 289.); }
float hash(vec2 cell) { return shuffled(shuffled(mod(cell.x, 289.)) + mod(cell.y, 289.)) / 289.; }
float noise(vec2 p) {
  vec2 i = floor(p), f = fract(p);
  f = f * f * (3. - 2. * f);
  return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + 1.), f.x), f.y);
}
void main() {
  q = at * window.xy + window.zw;
  for (int k = 0; k < ${RIBBONS}; k++) {
    float n = float(k);
    vec2 w = vec2(noise(q * .9 + phase * .8 + n * 3.1 + SEED), noise(q * 1.1 - phase.yx * .7 + n * 7.7 + SEED));
    w = q + .55 * w - .25;
    warp[k] = vec3(w, .5 + .5 * noise(w * 2. + n + SEED));
  }
  gl_Position = vec4(at, 0, 1);
}`.replaceAll("SEED", "80.");

export const FRAGMENT = `
#ifdef GL_FRAGMENT_PRECISION_HIGH
precision highp float;
#else
precision mediump float;
#endif
uniform vec4 voice[${RIBBONS}];
uniform float time, level;
varying vec2 q;
varying vec3 warp[${RIBBONS}];
void main() {
  vec3 light = vec3(.018, .02, .045);
  for (int k = 0; k < ${RIBBONS}; k++) {
    float n = float(k);
    float y = .42 * sin(warp[k].x * 1.6 + voice[k].w);
    y += .12 * (1. + level * 1.8) * sin(warp[k].x * 5. + time * 2. + n * 2.1);
    float away = abs(warp[k].y - y + (n - 2.) * .13);
    light += voice[k].rgb * warp[k].z * (.01 + .006 * level) / (away + .012);
  }
  light *= 1. - .106 * dot(q, q);
  light += (fract(52.98 * fract(dot(gl_FragCoord.xy, vec2(.0671, .00584)))) - .5) / 200.;
  gl_FragColor = vec4(light / (1. + light * .35), 1);
}`;
