// The rules for assets/js.
import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";

const LONGEST_FILE = 150;

const firstComment = {
  meta: { messages: { missing: "Begin with a comment: what the file does, and why Reflex cannot." } },
  create: (context) => ({
    Program(node) {
      const [first] = context.sourceCode.getAllComments();
      if (first?.loc.start.line !== 1) context.report({ node, messageId: "missing" });
    },
  }),
};

// kit/ imports neither product, and the products do not import each other.
const imports = (folder, group) => ({
  files: [`**/${folder}/**`],
  rules: { "no-restricted-imports": ["error", { patterns: [{ group }] }] },
});

export default [
  js.configs.recommended,
  {
    files: ["**/*.{js,jsx}"],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { ecmaFeatures: { jsx: true } },
    },
    linterOptions: { noInlineConfig: true },
    plugins: { "react-hooks": reactHooks, ours: { rules: { "first-comment": firstComment } } },
    rules: {
      ...reactHooks.configs.flat.recommended.rules,
      "eqeqeq": "error",
      "max-lines": ["error", LONGEST_FILE],
      "no-unused-vars": ["error", { varsIgnorePattern: "^_$" }],
      "no-var": "error",
      "ours/first-comment": "error",
      "prefer-const": "error",
      // Timers and counters begin again when the server's answer changes a prop.
      "react-hooks/set-state-in-effect": "off",
    },
  },
  imports("kit", ["**/campus_app/**", "**/voice_site/**"]),
  imports("campus_app", ["**/voice_site/**"]),
  imports("voice_site", ["**/campus_app/**"]),
];
