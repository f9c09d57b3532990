// The button 'Tell me when it is ready': it asks for the permission, which browsers allow only on a press, and
// subscribes the service worker to push messages.
import { useEffect, useEffectEvent, useLayoutEffect, useState } from "react";

const BASE64 = { "-": "+", _: "/" };
const LONGEST_WAIT_MS = 15_000;

const isSupported = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

// Safari on an iPhone or iPad has push messages only for pages that were opened from the home screen.
const needsHomeScreen = () =>
  !navigator.standalone &&
  (/iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1));

function bytesOf(key) {
  const text = atob(key.replace(/[-_]/g, (sign) => BASE64[sign]));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

// Returns the endpoint of the browser's subscription; "" if it has none.
async function currentEndpoint() {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    const subscription = await registration?.pushManager?.getSubscription();
    return subscription?.endpoint ?? "";
  } catch {
    return "";
  }
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
// empty until the server has answered `onCheck`. `answers` grows with every answer of the server: two refusals in a row
// differ in nothing else.
export function ReadyPush({
  publicKey,
  isOffered,
  isSubscribed,
  hasFailed,
  answers,
  words,
  onCheck,
  onSubscribe,
  onUnsubscribe,
  children,
}) {
  const [problem, setProblem] = useState("");
  const [isAsking, setAsking] = useState(false);
  const [isPossible, setPossible] = useState(false);
  const [answersBefore] = useState(answers);
  const isChecked = answers !== answersBefore;
  const check = useEffectEvent((endpoint) => onCheck?.(endpoint));
  const send = useEffectEvent((subscription) => onSubscribe?.(JSON.stringify(subscription)));
  const fail = (why) => {
    setProblem(why);
    setAsking(false);
  };
  // Before the first paint: the lines below must not move later.
  useLayoutEffect(() => setPossible(isSupported() || needsHomeScreen()), []);
  useEffect(() => {
    if (isSupported()) currentEndpoint().then(check);
    else if (needsHomeScreen()) check("");
  }, []);
  useEffect(() => {
    setProblem(hasFailed ? "failed" : "");
    setAsking(false);
  }, [answers, hasFailed]);
  useEffect(() => {
    if (!isAsking) return undefined;
    // The event may be lost with the socket, and a service worker may never be ready.
    const timer = setTimeout(() => fail("failed"), LONGEST_WAIT_MS);
    return () => clearTimeout(timer);
  }, [isAsking]);
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
  const stop = async () => onUnsubscribe?.(await currentEndpoint());
  if (!isPossible || (isChecked && !isOffered)) return null;
  return (
    <li style={{ visibility: isChecked ? "visible" : "hidden" }}>
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
