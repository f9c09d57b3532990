// The scene of our own: five voices as luminous ribbons, periodic in time. Their slow warp is
// computed at the points of a grid, the light between them at each pixel.
const FRAME = { width: 2_400, height: 1_080 };
const PERIOD_MS = 12_000;
const STILL_AT_MS = 4_700;
const RIBBONS = 5;
const COLUMNS = 160;
const ROWS = 72;
const SMOOTHED = 0.2;
const BLUE = [0.16, 0.34, 1];
const VIOLET = [0.62, 0.22, 0.95];
const TEAL = [0.05, 0.8, 0.72];

// The hash is made of whole numbers below 2^24, which every graphics processor computes alike:
// the picture is the still's everywhere.
const VERTEX = `
attribute vec2 at;
uniform vec4 window;
uniform vec2 turn;
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
    vec2 w = vec2(noise(q * .9 + turn * .8 + n * 3.1 + SEED), noise(q * 1.1 - turn.yx * .7 + n * 7.7 + SEED));
    w = q + .55 * w - .25;
    warp[k] = vec3(w, .5 + .5 * noise(w * 2. + n + SEED));
  }
  gl_Position = vec4(at, 0, 1);
}`.replaceAll("SEED", "80.");

const FRAGMENT = `
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

const mixed = (from, to, part) => from.map((value, index) => value + (to[index] - value) * part);

// The light of each voice, and where its slow wave is.
function voices(time) {
  return Array.from({ length: RIBBONS }, (_, n) => [
    ...mixed(mixed(BLUE, VIOLET, n / (RIBBONS - 1)), TEAL, 0.5 + 0.5 * Math.sin(n * 2 + time)),
    n * 0.7 + 0.6 * Math.sin(time + n),
  ]).flat();
}

function compiled(gl, kind, source) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}

function linked(gl) {
  const program = gl.createProgram();
  gl.attachShader(program, compiled(gl, gl.VERTEX_SHADER, VERTEX));
  gl.attachShader(program, compiled(gl, gl.FRAGMENT_SHADER, FRAGMENT));
  gl.bindAttribLocation(program, 0, "at");
  gl.linkProgram(program);
  if (gl.getProgramParameter(program, gl.LINK_STATUS)) return program;
  const [vertex, fragment] = gl.getAttachedShaders(program).map((each) => gl.getShaderInfoLog(each));
  console.warn("The scene's shaders:", vertex, fragment, gl.getProgramInfoLog(program));
  throw new Error("Failed to initialize scene");
}

function grid(gl) {
  const points = [];
  const corners = [];
  for (let row = 0; row <= ROWS; row++)
    for (let column = 0; column <= COLUMNS; column++) {
      points.push((2 * column) / COLUMNS - 1, (2 * row) / ROWS - 1);
      const here = row * (COLUMNS + 1) + column;
      const above = here + COLUMNS + 1;
      if (row < ROWS && column < COLUMNS) corners.push(here, here + 1, above, above, here + 1, above + 1);
    }
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(points), gl.STATIC_DRAW);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(corners), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  return corners.length;
}

// What of the still's frame is in sight, as `object-fit: cover` shows it at a position in percent.
function windowOn({ clientWidth, clientHeight }, position) {
  const across = clientWidth / FRAME.width;
  const up = clientHeight / FRAME.height;
  const shown = [Math.min(1, across / up), Math.min(1, up / across)];
  const [x, y] = position.split(" ").map((part) => Number.parseFloat(part) / 50 - 1);
  const wide = FRAME.width / FRAME.height;
  return [shown[0] * wide, shown[1], (1 - shown[0]) * x * wide, (shown[1] - 1) * y];
}

function painter(gl) {
  const program = linked(gl);
  gl.useProgram(program);
  const count = grid(gl);
  const place = (name) => gl.getUniformLocation(program, name);
  const places = ["window", "turn", "voice", "time", "level"].map(place);
  return (time, level, frame) => {
    const [inWindow, inTurn, inVoice, inTime, inLevel] = places;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform4fv(inWindow, frame);
    gl.uniform2f(inTurn, Math.cos(time), Math.sin(time));
    gl.uniform4fv(inVoice, voices(time));
    gl.uniform1f(inTime, time);
    gl.uniform1f(inLevel, level);
    gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_SHORT, 0);
  };
}

// Plays in a place. `level` says how loud the voice is, from 0 to 1; `position` which
// part of the frame stays in sight.
export function load(place, { scale = 1, dpi = 1.5, level = () => 0, position = () => "50% 50%" }) {
  const canvas = document.createElement("canvas");
  const wanted = { alpha: false, antialias: false, depth: false, powerPreference: "low-power" };
  const gl = canvas.getContext("webgl", wanted);
  if (!gl) throw new Error("Failed to initialize scene");
  let paint = painter(gl);
  let finesse = scale;
  let heard = 0;
  let shown = 0;
  const draw = (ms = shown) => {
    shown = ms;
    if (!paint) return;
    const fine = Math.min(devicePixelRatio, dpi) * finesse;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((px) => Math.max(1, Math.round(px * fine)));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    heard += (level() - heard) * SMOOTHED;
    paint(((ms + STILL_AT_MS) / PERIOD_MS) * 2 * Math.PI, heard, windowOn(canvas, position()));
    place.dataset.drawn = "";
  };
  const lose = (event) => {
    event.preventDefault();
    paint = null;
    delete place.dataset.drawn;
  };
  const regain = () => {
    paint = painter(gl);
    draw();
  };
  canvas.addEventListener("webglcontextlost", lose);
  canvas.addEventListener("webglcontextrestored", regain);
  place.append(canvas);
  const resized = new ResizeObserver(() => draw());
  resized.observe(canvas);
  draw();
  return {
    draw,
    scale: () => finesse,
    refine: (to) => {
      finesse = to;
    },
    destroy: () => {
      resized.disconnect();
      canvas.removeEventListener("webglcontextlost", lose);
      canvas.removeEventListener("webglcontextrestored", regain);
      paint = null;
      gl.getExtension("WEBGL_lose_context")?.loseContext();
      canvas.remove();
    },
  };
}
