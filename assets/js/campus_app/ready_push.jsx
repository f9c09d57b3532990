// The button 'Tell me when it is ready': it asks for the permission, which browsers allow only on a press, and
// subscribes the service worker to push messages.
import { useEffect, useEffectEvent, useLayoutEffect, useState } from "react";

const BASE64 = { "-": "+", _: "/" };

const isSupported = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

// Safari on an iPhone or iPad has push messages only for pages that were opened from the home screen.
const needsHomeScreen = () =>
  !navigator.standalone &&
  (/iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1));

function bytesOf(key) {
  const text = atob(key.replace(/[-_]/g, (sign) => BASE64[sign]));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

async function current() {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration?.pushManager?.getSubscription();
}

// Returns the browser's subscription; one that was made with an earlier key of the server is replaced.
async function subscribe(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const earlier = await pushManager.getSubscription();
    if (!earlier) throw error;
    await earlier.unsubscribe();
    return pushManager.subscribe(options);
  }
}

// A list item with an icon. `words` are the texts: ask, asking, done, stop, denied, failed, homeScreen. `publicKey` is
// empty until the server has answered `onCheck`.
export function ReadyPush({ publicKey, isSubscribed, hasFailed, words, onCheck, onSubscribe, onUnsubscribe, children }) {
  const [problem, setProblem] = useState("");
  const [isAsking, setAsking] = useState(false);
  const [isOffered, setOffered] = useState(false);
  const check = useEffectEvent((endpoint) => onCheck?.(endpoint));
  const send = useEffectEvent((subscription) => onSubscribe?.(JSON.stringify(subscription)));
  const fail = (why) => {
    setProblem(why);
    setAsking(false);
  };
  // Before the first paint: the lines below must not move later.
  useLayoutEffect(() => setOffered(isSupported() || needsHomeScreen()), []);
  useEffect(() => {
    if (!isSupported()) return;
    current()
      .catch(() => undefined)
      .then((subscription) => check(subscription?.endpoint ?? ""));
  }, []);
  useEffect(() => {
    if (hasFailed) setProblem("failed");
    setAsking(false);
  }, [isSubscribed, hasFailed]);
  useEffect(() => {
    if (isAsking && publicKey) subscribe(publicKey).then(send, () => fail("failed"));
  }, [isAsking, publicKey]);
  const ask = async () => {
    if (!isSupported()) {
      setProblem("homeScreen");
      return;
    }
    setProblem("");
    const permission = await Notification.requestPermission().catch(() => "default");
    if (permission === "granted") setAsking(true);
    else fail("denied");
  };
  const stop = async () => {
    const subscription = await current();
    onUnsubscribe?.(subscription?.endpoint ?? "");
  };
  if (!isOffered) return null;
  return (
    <li>
      {children}
      <span className="ready-push">
        {isSubscribed ? null : (
          <button type="button" className="text-button" onClick={ask} aria-busy={isAsking}>
            {isAsking ? words.asking : words.ask}
          </button>
        )}
        <span role="status">{isSubscribed ? words.done : (words[problem] ?? "")}</span>
        {isSubscribed ? (
          <button type="button" className="text-button" onClick={stop}>
            {words.stop}
          </button>
        ) : null}
      </span>
    </li>
  );
}
