// A scene of Unicorn Studio, by its project or by an export of it. Their script comes from where
// the operator says, and only where a scene of theirs is configured.
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

// Their script keeps to itself why a scene can't be fetched.
async function mustBeThere(address, inTime) {
  const leaving = new AbortController();
  try {
    const answer = await inTime(fetch(address, { signal: leaving.signal }));
    if (!answer.ok) throw new Error(`Failed to load the scene: ${answer.status}`);
    await inTime(answer.arrayBuffer());
  } catch (error) {
    leaving.abort();
    throw error;
  }
}

export async function load(host, options) {
  const { projectId, jsonFilePath, scriptUrl, scale, dpi, fps, lazyLoad, production } = options;
  const { initialized, inTime } = options;
  if (!window.UnicornStudio?.addScene) await inTime(script(scriptUrl));
  if (!window.UnicornStudio?.addScene) throw new Error("UnicornStudio.addScene not found");
  if (!projectId && !jsonFilePath) throw new Error("No project ID or JSON file path provided");
  await mustBeThere(jsonFilePath || EMBEDS[production] + encodeURIComponent(projectId), inTime);
  const source = jsonFilePath ? { filePath: jsonFilePath } : { projectId };
  const wanted = { elementId: host.id, ...source, scale, dpi, fps, lazyLoad, production, altText: "" };
  const scene = await initialized(Promise.resolve(window.UnicornStudio.addScene(wanted)), inTime);
  host.dataset.drawn = "";
  return {
    run: (isOn) => {
      scene.paused = !isOn;
    },
    destroy: () => scene.destroy(),
  };
}
