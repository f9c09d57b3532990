// Spells words by their sound, so that Hindi typed in Devanagari or in Latin letters finds the same dishes.

const CONSONANTS = {
  क: "k", ख: "kh", ग: "g", घ: "gh", ङ: "n", च: "ch", छ: "ch", ज: "j", झ: "jh", ञ: "n",
  ट: "t", ठ: "th", ड: "d", ढ: "dh", ण: "n", त: "t", थ: "th", द: "d", ध: "dh", न: "n",
  प: "p", फ: "f", ब: "b", भ: "bh", म: "m", य: "y", र: "r", ल: "l", व: "v", ळ: "l",
  श: "sh", ष: "sh", स: "s", ह: "h",
};
// Signs that take the place of a consonant's own vowel; the virama removes it.
const VOWEL_SIGNS = {
  "ा": "a", "ि": "i", "ी": "i", "ु": "u", "ू": "u", "ृ": "ri", "ॅ": "e", "े": "e", "ै": "ai", "ॉ": "o", "ो": "o",
  "ौ": "au", "्": "",
};
const VOWELS = { अ: "a", आ: "a", इ: "i", ई: "i", उ: "u", ऊ: "u", ऋ: "ri", ऍ: "e", ए: "e", ऐ: "ai", ऑ: "o", ओ: "o", औ: "au" };
const OTHER_SIGNS = { "ं": "n", "ँ": "n", "ः": "" };
const DIGITS = Object.fromEntries([..."०१२३४५६७८९"].map((digit, value) => [digit, String(value)]));
const LETTERS = { ...VOWELS, ...OTHER_SIGNS, ...VOWEL_SIGNS, ...DIGITS };

// Writes Devanagari in Latin letters. `ə` is a consonant's own vowel, which Hindi does not speak at the end of a
// word, nor between a vowel and a consonant with a vowel: नमकीन is namkin.
function transliterate(text) {
  const letters = [...text.replace(/[डढ]\u093c/g, "र").replace(/\u093c/g, "")];
  return letters
    .map((letter, place) => {
      const consonant = CONSONANTS[letter];
      if (!consonant) return LETTERS[letter] ?? letter;
      return letters[place + 1] in VOWEL_SIGNS ? consonant : `${consonant}ə`;
    })
    .join("")
    .replace(/ə(?![a-zə])/g, "")
    .replace(/([aeiouə][b-df-hj-np-tv-z]+)ə(?=[b-df-hj-np-tv-z]+[aeiouə])/g, "$1")
    .replace(/ə/g, "a");
}

// Spellings of the same sound in names of Indian dishes.
const SPELLINGS = [
  [/aa+/g, "a"],
  [/ee+|ii+/g, "i"],
  [/oo+|uu+/g, "u"],
  [/chh/g, "ch"],
  [/ph/g, "f"],
  [/w/g, "v"],
  [/z/g, "j"],
  [/ck|c(?!h)|q/g, "k"],
  [/([a-z])\1/g, "$1"],
  [/y(?![aeiou])/g, "i"],
];

// What the last letter of a query may still become: 'nac' is the beginning of 'nachos', 'gre' of 'green'.
const ENDINGS = { c: "ch", e: "ee", o: "oo", p: "ph" };

// Returns a text as words of plain letters and digits, each sound spelled in one way.
export function normalize(text) {
  const latin = transliterate(text.normalize("NFKD")).replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const spelled = SPELLINGS.reduce((before, [pattern, sound]) => before.replace(pattern, sound), latin);
  return spelled.replace(/[^a-z0-9]+/g, " ").trim();
}

// What visitors say, and the menus' word for it: Hindi words, English ones as Hindi spells them, other forms.
const OTHER_WORDS = {
  egg: "अंडा अंडे eggs", burger: "बर्गर", noodles: "नूडल्स नूडल", fries: "फ्राइज़ फ्राइज", shake: "शेक milkshake मिल्कशेक",
  cake: "केक", juice: "जूस", sandwich: "सैंडविच", chicken: "चिकन मुर्ग murg मुर्गा", fish: "मछली फिश", mutton: "मटन",
  milk: "दूध doodh", curd: "दही dahi", rice: "चावल chawal", potato: "आलू aloo", onion: "प्याज़ प्याज pyaz", lime: "नींबू nimbu",
  chilli: "मिर्च mirch", garlic: "लहसुन", ginger: "अदरक adrak", butter: "मक्खन makhan", spinach: "पालक", cauliflower: "गोभी",
  corn: "मक्का भुट्टा", mushroom: "मशरूम", banana: "केला kela", apple: "सेब", mango: "आम", coffee: "कॉफी", tea: "टी",
  bread: "ब्रेड", cheese: "चीज़ चीज", soup: "सूप", salad: "सलाद", "ice cream": "आइसक्रीम icecream", "": "french फ्रेंच",
};
const MENU_WORDS = new Map(
  Object.entries(OTHER_WORDS).flatMap(([word, others]) => others.split(" ").map((other) => [normalize(other), normalize(word)])),
);

const inMenuWords = (query) =>
  query.split(" ").map((word) => MENU_WORDS.get(word) ?? word).filter(Boolean).join(" ");

// Returns the ways to spell a query that may end in the middle of a word.
export function queriesOf(typed) {
  const text = typed.toLowerCase();
  const longer = ENDINGS[text.at(-1)] ? text.slice(0, -1) + ENDINGS[text.at(-1)] : text;
  const spelled = [normalize(text), normalize(longer)];
  return [...new Set([...spelled, inMenuWords(spelled[0])])].filter(Boolean);
}
