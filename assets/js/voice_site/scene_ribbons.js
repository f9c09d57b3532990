// Draws our own scene: five ribbons, periodic in time.
import { FRAGMENT, RIBBONS, VERTEX } from "./scene_shaders.js";

const FRAME = { width: 2_400, height: 1_080 };
const PERIOD_MS = 12_000;
const STILL_AT_MS = 4_700; // the time that the still image shows: the scene begins with it
const COLUMNS = 160;
const ROWS = 72;
const SMOOTHED = 0.2; // the part by which the shown level of the voice approaches the measured one in each frame
const BLUE = [0.16, 0.34, 1];
const VIOLET = [0.62, 0.22, 0.95];
const TEAL = [0.05, 0.8, 0.72];

const mixed = (from, to, part) => from.map((value, index) => value + (to[index] - value) * part);

// The colour of each ribbon, and the phase of its slow wave.
function ribbons(time) {
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
  gl.bindAttribLocation(program, 0, "position");
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

// Returns the part of the still's frame that `object-fit: cover` shows at a position in percent.
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
  const location = (name) => gl.getUniformLocation(program, name);
  const locations = ["window", "phase", "voice", "time", "level"].map(location);
  return (time, level, frame) => {
    const [inWindow, inPhase, inVoice, inTime, inLevel] = locations;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform4fv(inWindow, frame);
    gl.uniform2f(inPhase, Math.cos(time), Math.sin(time));
    gl.uniform4fv(inVoice, ribbons(time));
    gl.uniform1f(inTime, time);
    gl.uniform1f(inLevel, level);
    gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_SHORT, 0);
  };
}

// Draws into an element. `scale`: the part of the full resolution that is drawn. `dpi`: the most pixels for a CSS pixel.
// `level` returns the voice's level from 0 to 1, `position` the CSS position of the part in view.
export function load(element, { scale = 1, dpi = 1.5, level = () => 0, position = () => "50% 50%" }) {
  const canvas = document.createElement("canvas");
  const wanted = { alpha: false, antialias: false, depth: false, powerPreference: "low-power" };
  const gl = canvas.getContext("webgl", wanted);
  if (!gl) throw new Error("Failed to initialize scene");
  let paint = painter(gl);
  let currentScale = scale;
  let smoothed = 0;
  let shown = 0;
  const draw = (ms = shown) => {
    shown = ms;
    if (!paint) return;
    const fine = Math.min(devicePixelRatio, dpi) * currentScale;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((px) => Math.max(1, Math.round(px * fine)));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    smoothed += (level() - smoothed) * SMOOTHED;
    paint(((ms + STILL_AT_MS) / PERIOD_MS) * 2 * Math.PI, smoothed, windowOn(canvas, position()));
    element.dataset.drawn = "";
  };
  const onContextLost = (event) => {
    event.preventDefault();
    paint = null;
    delete element.dataset.drawn;
  };
  const onContextRestored = () => {
    paint = painter(gl);
    draw();
  };
  canvas.addEventListener("webglcontextlost", onContextLost);
  canvas.addEventListener("webglcontextrestored", onContextRestored);
  element.append(canvas);
  const observer = new ResizeObserver(() => draw());
  observer.observe(canvas);
  draw();
  return {
    draw,
    scale: () => currentScale,
    setScale: (to) => {
      currentScale = to;
    },
    destroy: () => {
      observer.disconnect();
      canvas.removeEventListener("webglcontextlost", onContextLost);
      canvas.removeEventListener("webglcontextrestored", onContextRestored);
      paint = null;
      gl.getExtension("WEBGL_lose_context")?.loseContext();
      canvas.remove();
    },
  };
}
