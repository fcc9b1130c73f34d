// The words of the pages in the reader's language.
import words from "./words.js";

const wanted = new URLSearchParams(location.search).get("lang");
/** The language of the page: the first of the reader's that there are words in, otherwise English. */
export const language = [wanted, ...navigator.languages].filter(Boolean)
  .map((tag) => tag.toLowerCase().split("-")[0]).find((tag) => tag === "en" || Object.hasOwn(words, tag)) ?? "en";

/** English words in the language of the page; `{0}` becomes `value`. */
export function text(english, value = "") {
  // A catalogue may lack a translation.
  return (words[language]?.[english] || english).replace("{0}", value);
}

document.documentElement.lang = language;
document.documentElement.dir = language === "ar" ? "rtl" : "ltr";
for (const element of document.querySelectorAll("[data-words]")) element.textContent = text(element.dataset.words);

/** The labels of a `Paraph.Pad`, and of the buttons of `Paraph.signAnywhere`. */
export const labels = {
  pad: text("Signature pad"),
  help: text("Draw with pointer or finger. With the keyboard: Space lowers and lifts the pen, arrow keys move it, Shift makes small steps, Backspace or Control+Z removes the last stroke, Delete removes all."),
  penDown: text("Pen down"),
  penUp: text("Pen up"),
  strokeRemoved: text("Last stroke removed"),
  cleared: text("Empty"),
  restored: text("Strokes restored"),
};
export const buttons = { done: text("Done"), clear: text("Clear"), undo: text("Undo"), cancel: text("Cancel") };
