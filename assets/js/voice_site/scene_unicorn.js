// Plays a scene of Unicorn Studio, by its project or by an export of it. Their script draws it in the
// browser. It is loaded from the operator's address, and only if such a scene is configured.
const EMBEDS = {
  true: "https://assets.unicorn.studio/embeds/",
  false: "https://storage.googleapis.com/unicornstudio-production/embeds/",
};

const loading = new Map();

function script(src) {
  if (!loading.has(src)) {
    const loaded = new Promise((resolve, reject) => {
      const element = Object.assign(document.createElement("script"), { src, async: true });
      element.addEventListener("load", resolve);
      element.addEventListener("error", () => {
        element.remove();
        loading.delete(src);
        reject(new Error("Failed to load UnicornStudio script"));
      });
      document.head.append(element);
    });
    loading.set(src, loaded);
  }
  return loading.get(src);
}

// Fetches the scene first: their script does not report why it failed.
async function requireScene(address, withTimeout) {
  const controller = new AbortController();
  try {
    const response = await withTimeout(fetch(address, { signal: controller.signal }));
    if (!response.ok) throw new Error(`Failed to load the scene: ${response.status}`);
    await withTimeout(response.arrayBuffer());
  } catch (error) {
    controller.abort();
    throw error;
  }
}

export async function load(host, options) {
  const { projectId, jsonFilePath, scriptUrl, scale, dpi, fps, lazyLoad, production } = options;
  const { initialized, withTimeout } = options;
  if (!window.UnicornStudio?.addScene) await withTimeout(script(scriptUrl));
  if (!window.UnicornStudio?.addScene) throw new Error("UnicornStudio.addScene not found");
  if (!projectId && !jsonFilePath) throw new Error("No project ID or JSON file path provided");
  await requireScene(jsonFilePath || EMBEDS[production] + encodeURIComponent(projectId), withTimeout);
  const source = jsonFilePath ? { filePath: jsonFilePath } : { projectId };
  const wanted = { elementId: host.id, ...source, scale, dpi, fps, lazyLoad, production, altText: "" };
  const scene = await initialized(Promise.resolve(window.UnicornStudio.addScene(wanted)), withTimeout);
  host.dataset.drawn = "";
  return {
    run: (isOn) => {
      scene.paused = !isOn;
    },
    destroy: () => scene.destroy(),
  };
}
