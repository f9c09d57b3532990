// Speech by the browser: its own voice reads an answer, and its recogniser, which its maker may run, writes a sentence.
// It is loaded at the first press that needs it.

const TAGS = { en: "en-IN", hi: "hi-IN" };
const Recogniser = () => window.SpeechRecognition ?? window.webkitSpeechRecognition;
let recogniser = null;

// Returns the voices, which Chrome loads after the first question for them.
function voices() {
  const found = speechSynthesis.getVoices();
  if (found.length) return Promise.resolve(found);
  return new Promise((resolve) => {
    const answer = () => resolve(speechSynthesis.getVoices());
    speechSynthesis.addEventListener("voiceschanged", answer, { once: true });
    setTimeout(answer, 1_000);
  });
}

// Reads a text aloud; returns whether there is a voice for its language; an Indian voice is preferred.
export async function speak(text, language) {
  if (!("speechSynthesis" in window)) return false;
  const own = (await voices()).filter(({ lang }) => lang.toLowerCase().startsWith(language));
  const voice = own.find(({ lang }) => lang.replace("_", "-") === TAGS[language]) ?? own[0];
  if (!voice) return false;
  speechSynthesis.cancel();
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.voice = voice;
  utterance.lang = voice.lang;
  speechSynthesis.speak(utterance);
  return true;
}

export const hush = () => window.speechSynthesis?.cancel();

export const stopListening = () => recogniser?.stop();

// Listens to one sentence. `onText` gets the sentence, when it ended, and the ms until it was text; `onEnd` is called in any case, with
// the message to show: 'unheard', 'blocked' or ''.
export function listen(language, { onText, onEnd }) {
  hush();
  recogniser = new (Recogniser())();
  Object.assign(recogniser, { lang: TAGS[language] ?? TAGS.en, interimResults: false, maxAlternatives: 1 });
  let endedAt = 0;
  let message = "unheard";
  recogniser.onspeechend = () => (endedAt = performance.now());
  recogniser.onresult = ({ results }) => {
    const now = performance.now();
    message = "";
    onText(results[0][0].transcript, { endedAt: endedAt || now, heard: endedAt ? now - endedAt : 0 });
  };
  recogniser.onerror = ({ error }) => {
    message = ["not-allowed", "service-not-allowed", "audio-capture"].includes(error) ? "blocked" : "unheard";
  };
  recogniser.onend = () => {
    recogniser = null;
    onEnd(message);
  };
  recogniser.start();
}
