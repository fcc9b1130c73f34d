// A locker's flow, to copy: a person collects a parcel, signs on the pad (or here, if there is none), and a box opens.
import * as Paraph from "./paraph.js";
import { buttons, labels, language, text } from "./language.js";

const [words, canvas, button] = ["words", "canvas", "sign"].map((id) => document.getElementById(id));
// Shown only where no pad is available.
const onPage = new Paraph.Pad(canvas, { labels });
// Yours: the parcel that was identified by its code, and what opens its box.
const parcel = { reference: `parcel-${Date.now()}`, box: 7 };
const openBox = async () => {};

button.addEventListener("click", async () => {
  button.hidden = true;
  words.textContent = text("Please sign here");
  const request = { reference: parcel.reference, language, timeLimit: 120, cancellable: true };
  try {
    onPage.clear();
    await Paraph.signAnywhere({ pad: ".", canvas: onPage, request, words: buttons });
    await openBox(parcel.box);
    words.textContent = text("Thank you. Box {0} is open.", parcel.box);
  } catch (error) {
    const isOver = error instanceof Paraph.Cancelled || error instanceof Paraph.TimedOut;
    words.textContent = text(isOver ? "Cancelled" : "Please try again later.");
  }
  button.hidden = false;
});
