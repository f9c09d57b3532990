"""Evaluates a configuration module for Vite or React Router in Node."""

import json
import subprocess
import sys
from pathlib import Path

OF_REFLEX = """
import { defineConfig } from "vite";
export default defineConfig((config) => ({
  build: {
    minify: true,
    rollupOptions: { output: { codeSplitting: { groups: [{ name: "reflex-env" }] } } },
  },
  server: { port: 3000 },
}));
"""
"""What Reflex writes for Vite, shortened."""
_VITE = """
const isObject = (value) => value?.constructor === Object;
export const mergeConfig = (one, other) => {
  const merged = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = merged[key];
    if (Array.isArray(before)) merged[key] = [...before, ...value];
    else merged[key] = isObject(before) && isObject(value) ? mergeConfig(before, value) : value;
  }
  return merged;
};
export const defineConfig = (config) => config;
"""
_PRINT = """
const exported = config.default;
const settings = typeof exported === "function" ? await exported({ command: "build" }) : exported;
const asText = (key, value) =>
  value instanceof RegExp ? value.source : typeof value === "function" ? value.toString() : value;
process.stdout.write(JSON.stringify(settings, asText));
"""


def settings_of(module: str):
    """Return the settings of a module; regular expressions and functions are texts."""
    module = module.replace('from "vite"', f"from {json.dumps(_data_url(_VITE))}")
    code = f"const config = await import({json.dumps(_data_url(module))});{_PRINT}"
    node = Path(sys.executable).with_name("node")
    command = [node, "--input-type=module", "-"]
    done = subprocess.run(
        command, input=code, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def changed(plugin, module: str):
    """Return the settings of a module that a plugin has changed."""
    tasks = {}
    plugin.pre_compile(add_modify_task=tasks.__setitem__)
    ((_, change),) = tasks.items()
    return settings_of(change(module))


def _data_url(module: str) -> str:
    return f"data:text/javascript,{''.join(f'%{byte:02x}' for byte in module.encode())}"
