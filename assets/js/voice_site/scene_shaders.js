// The WebGL shaders of the scene, five ribbons of light: their slow warp is computed at each vertex of a
// grid, their light at each pixel.
export const RIBBONS = 5;

// The hash uses integers below 2^24, which a 32-bit float represents exactly, so that every GPU draws the
// same picture as the still image.
export const VERTEX = `
attribute vec2 position;
uniform vec4 window;
uniform vec2 phase;
varying vec2 q;
varying vec3 warp[${RIBBONS}];
float permute(float n) { return mod((34. * n + 1.) * n, 289.); }
float hash(vec2 cell) { return permute(permute(mod(cell.x, 289.)) + mod(cell.y, 289.)) / 289.; }
float noise(vec2 p) {
  vec2 i = floor(p), f = fract(p);
  f = f * f * (3. - 2. * f);
  return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + 1.), f.x), f.y);
}
void main() {
  q = position * window.xy + window.zw;
  for (int k = 0; k < ${RIBBONS}; k++) {
    float n = float(k);
    vec2 w = vec2(noise(q * .9 + phase * .8 + n * 3.1 + SEED), noise(q * 1.1 - phase.yx * .7 + n * 7.7 + SEED));
    w = q + .55 * w - .25;
    warp[k] = vec3(w, .5 + .5 * noise(w * 2. + n + SEED));
  }
  gl_Position = vec4(position, 0, 1);
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
    float offset = abs(warp[k].y - y + (n - 2.) * .13);
    light += voice[k].rgb * warp[k].z * (.01 + .006 * level) / (offset + .012);
  }
  light *= 1. - .106 * dot(q, q);
  light += (fract(52.98 * fract(dot(gl_FragCoord.xy, vec2(.0671, .00584)))) - .5) / 200.;
  gl_FragColor = vec4(light / (1. + light * .35), 1);
}`;
