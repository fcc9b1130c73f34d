// The counter's page: request a signature, see it being given, and keep it.
import * as Paraph from "./paraph.js";
import { language, text } from "./language.js";

const STATES = {
  idle: "Ready", reading: "The person is reading", invited: "Waiting for the person", signing: "The person is signing",
  confirming: "One moment, please", saved: "Signed", cancelled: "Cancelled", timed_out: "Time is up",
  message: "The pad shows a message", question: "The pad asks a question", out_of_service: "Out of service", unreachable: "No pad answers",
};
const element = (id) => document.getElementById(id);
const [form, ask, cancel, mirror] = ["request", "ask", "cancel", "mirror"].map(element);
let request = null;
let addresses = [];
/** The pad, once paraph-web answers. */
let pad = null;
// For as long as the tab is open.
let token = sessionStorage.getItem("token") ?? undefined;
/** Ends the stream of events. */
let watching = null;
/** The timer of the next attempt to find the pad. */
let attempt;

function show(state) { element("state").textContent = text(STATES[state] ?? state); }

function tell(words, hasFailed = false) {
  element("outcome").textContent = words;
  element("outcome").classList.toggle("failed", hasFailed);
}

/** The words for an error. */
function reason(error) {
  if (error instanceof Paraph.Cancelled || error?.name === "AbortError") return text("Cancelled");
  if (error instanceof Paraph.TimedOut) return text("Time is up");
  if (error instanceof Paraph.Busy) return text("The pad serves another request");
  if (error instanceof Paraph.OutOfService) return text("Out of service");
  if (error instanceof Paraph.Unreachable) return text("No pad answers");
  if (isUnauthorized(error)) return text("The pad requires an access token");
  if (error instanceof Paraph.NotAllowed) return text("The pad does not allow this page to do that");
  if (error instanceof Paraph.InvalidRequest && error.limit !== null) {
    return text("The text does not fit on the pad: at most {0} characters", error.limit);
  }
  if (error?.details?.type === "urn:paraph:error:NotEnabled") return text("Nothing is being signed");
  return text("The pad did not accept the request");
}

function isUnauthorized(error) { return error?.details?.type === "urn:paraph:error:Unauthorized"; }

function forget() {
  element("result").hidden = true;
  addresses.splice(0).forEach((address) => URL.revokeObjectURL(address));
}

function keep(signature, reference) {
  const name = (reference || signature.id).replace(/[^\p{L}\p{N}._-]+/gu, "-");
  const files = { png: signature.png, svg: signature.svg && new Blob([signature.svg], { type: "image/svg+xml" }) };
  element("picture").hidden = !files.png;
  for (const [kind, file] of Object.entries(files)) {
    // A pad that seals ink does not send it.
    element(kind).hidden = !file;
    if (!file) continue;
    const address = URL.createObjectURL(file);
    addresses.push(address);
    Object.assign(element(kind), { href: address, download: `${name}.${kind}` });
    if (kind === "png") element("picture").src = address;
  }
  element("picture").alt = text("Signature");
  element("result").hidden = false;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (request) return;
  const { reference, prompt } = Object.fromEntries(new FormData(form));
  request = new AbortController();
  [ask.disabled, cancel.disabled] = [true, false];
  forget();
  tell("");
  try {
    pad ??= await Paraph.connect(".", { token });
    const signature = await pad.sign({
      reference: reference || undefined, prompt: prompt || undefined, language, cancellable: true, formats: ["png", "svg"],
      signal: request.signal,
    });
    keep(signature, reference);
    tell(text("Signed"));
  } catch (error) {
    fail(error);
  }
  request = null;
  [ask.disabled, cancel.disabled] = [false, true];
});
cancel.addEventListener("click", () => request?.abort());

for (const name of ["clear", "done"]) element(name).addEventListener("click", () => pad?.[name]().catch(fail));

element("access").addEventListener("submit", (event) => {
  event.preventDefault();
  token = new FormData(event.target).get("token").trim();
  sessionStorage.setItem("token", token);
  event.target.hidden = true;
  event.target.reset();
  tell("");
  open();
});

mirror.setAttribute("aria-label", text("Signature pad"));
mirror.addEventListener("state", ({ detail }) => show(detail.state));
mirror.addEventListener("begin", () => { mirror.hidden = false; });
mirror.addEventListener("error", ({ detail }) => onError(detail));

/** Shows the buttons and the glass that this page may use. */
async function open() {
  watching?.abort();
  clearTimeout(attempt);
  const { signal } = watching = new AbortController();
  if (document.hidden) return;
  try {
    pad = await Paraph.connect(".", { token, signal });
    const info = await pad.info({ signal });
    show(info.state);
    for (const name of ["clear", "done"]) element(name).hidden = !info.web.press;
    if (info.web.mirror) {
      mirror.token = token;
      mirror.setAttribute("src", ".");
    } else {
      pad.live((name, data) => name === "state" && show(data.state), { ink: false, signal, onError });
    }
  } catch (error) {
    if (signal.aborted) return;
    onError(error);
    // The pad may come later.
    if (error instanceof Paraph.Unreachable) attempt = setTimeout(open, 2000);
  }
}

/** Says what has failed; asks for a token where one is needed. */
function fail(error) {
  tell(reason(error), true);
  if (!isUnauthorized(error)) return;
  [pad, token] = [null, undefined];
  sessionStorage.removeItem("token");
  mirror.removeAttribute("src");
  element("access").hidden = false;
}

function onError(error) {
  if (error instanceof Paraph.Unreachable) show("unreachable");
  else fail(error);
}

// A tab that nobody sees leaves its connection to the others: a browser may have six to a host.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) watching?.abort();
  // The mirror opens its own stream.
  else if (!mirror.hasAttribute("src")) open();
});
open();
