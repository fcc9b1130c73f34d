/** Signatures in a browser: on the page, or on a pad behind paraph-web. */

/** A point of a stroke, in CSS pixels of the canvas. */
export interface BasicPoint {
  x: number;
  y: number;
  /** 0…1; 0 if the device does not measure it. */
  pressure: number;
  /** Milliseconds since 1970, with fractions. */
  time: number;
}

export interface PointGroupOptions {
  /** Any colour of CSS. */
  penColor: string;
  /** The radius of a dot in CSS pixels; 0: as the pad's ink. */
  dotSize: number | (() => number);
  /** The radius of the narrowest and the widest ink, in CSS pixels. */
  minWidth: number;
  maxWidth: number;
  /** Kept in the data, without effect. */
  velocityFilterWeight: number;
  /** `"destination-out"` erases; all others draw. */
  compositeOperation: GlobalCompositeOperation;
}

/** A stroke. */
export interface PointGroup extends PointGroupOptions {
  points: BasicPoint[];
}

export interface Labels {
  /** The canvas's name for screen readers, unless it has a label. */
  pad: string;
  /** How it is used, with the keyboard too. */
  help: string;
  penDown: string;
  penUp: string;
  strokeRemoved: string;
  cleared: string;
  restored: string;
}

export interface PadOptions extends Partial<PointGroupOptions> {
  backgroundColor?: string;
  /** Kept, without effect: ink is drawn with each event. */
  throttle?: number;
  /** Kept, without effect: no point is dropped. */
  minDistance?: number;
  canvasContextOptions?: CanvasRenderingContext2DSettings;
  /** Whether the canvas gets a pixel for each of the screen's, and follows its size in CSS; default: true. */
  resize?: boolean;
  labels?: Partial<Labels>;
}

export interface FromDataUrlOptions {
  ratio?: number;
  width?: number;
  height?: number;
  xOffset?: number;
  yOffset?: number;
}

export interface ToSVGOptions {
  includeBackgroundColor?: boolean;
  includeDataUrl?: boolean;
}

/** The `detail` of a pad's events; that of `endStroke` is of the stroke's last event if `undo()` or `off()` ends it. */
export interface SignatureEvent {
  event: PointerEvent | KeyboardEvent;
  type: string;
  x: number;
  y: number;
  pressure: number;
}

/**
 * A canvas to sign on, with signature_pad's interface and the ink of Paraph's pads.
 *
 * Its events are `beginStroke` (which can be cancelled), `beforeUpdateStroke`, `afterUpdateStroke` and `endStroke`.
 */
export class Pad extends EventTarget {
  constructor(canvas: HTMLCanvasElement, options?: PadOptions);
  penColor: string;
  dotSize: number | (() => number);
  minWidth: number;
  maxWidth: number;
  velocityFilterWeight: number;
  compositeOperation: GlobalCompositeOperation;
  backgroundColor: string;
  throttle: number;
  minDistance: number;
  canvasContextOptions: CanvasRenderingContext2DSettings;
  readonly canvas: HTMLCanvasElement;
  /** Removes all ink. */
  clear(): void;
  /** Draws everything again. Throws RangeError if the browser has no memory for the canvas. */
  redraw(): void;
  isEmpty(): boolean;
  on(): void;
  /** Also removes what describes the canvas to screen readers, until `on()`. */
  off(): void;
  toData(): PointGroup[];
  fromData(groups: (Partial<PointGroupOptions> & { points: BasicPoint[] })[], options?: { clear?: boolean }): void;
  /**
   * Starts from an image, which stays below the strokes; rejects if it cannot be decoded.
   *
   * An image of one colour without paper, or of greys on white paper, becomes ink.
   */
  fromDataURL(address: string, options?: FromDataUrlOptions): Promise<void>;
  toDataURL(type: "image/svg+xml", options?: ToSVGOptions): string;
  toDataURL(type?: string, quality?: number): string;
  toSVG(options?: ToSVGOptions): string;
  /** Removes the last stroke; returns whether there was one. */
  undo(): boolean;
  toBlob(type?: string, quality?: number): Promise<Blob>;
  /**
   * The signature as of the call, in the form of one that was given on a pad.
   *
   * Draws all ink on the canvas before: the browser may have lost its pixels. What the page itself has drawn there goes.
   */
  result(): Promise<Signature>;
}

/** A sample: seconds since the first one, and millimetres. */
export interface Sample {
  t: number;
  x: number;
  y: number;
  pressure?: number;
}

export interface Stroke {
  samples: Sample[];
  /** Indices of samples before which the panel lost reports. */
  gaps?: number[];
}

/** A signature; only what was asked for by `formats` is there. */
export interface Signature {
  /** Null for a signature that was given on the page. */
  id: string | null;
  png?: Blob;
  svg?: string;
  inkml?: string;
  strokes?: Stroke[];
  /** Where the pad seals: the sealed files (CMS, in base64) instead of the ink. The PNG may be among them. */
  sealed?: { name: string; content: string }[];
  digest?: string;
  time?: string;
  reference?: string;
  width?: number;
  height?: number;
  dpi?: number;
  /** What the person could read on the pad before signing. */
  document?: ShownDocument;
}

/** A document as it was shown on the pad. */
export interface ShownDocument {
  name: string;
  digest: string;
  /** For each page, the SHA-256 of its PNG, or of its text in UTF-8, and how long it was on the glass. */
  pages: { digest: string; seconds: number }[];
}

/** A document that the person reads on the pad before signing: pages, or a text. */
export interface SignDocument {
  /** Of the original file, such as "Contract.pdf". */
  name: string;
  /** PNGs: up to 50, together up to 12 MiB. */
  pages?: Iterable<Blob>;
  /** Up to 20,000 characters, which the pad typesets. A carriage return before a line feed is not uploaded. */
  text?: string;
  /** The original file, whose SHA-256 is the digest; of a text, by default, the text as it was given. */
  original?: Blob;
  /** The SHA-256 of the original file, in hexadecimal digits; a page without https must pass it. */
  digest?: string;
  /** Whether the person may sign before the last page was shown; default: false. */
  early?: boolean;
}

/** The parameters of a request for a signature; see org.paraph.Pad.varlink. */
export interface SignRequest {
  /** Identifies what is signed for. Without one, the module makes one, so that it can resume the request. */
  reference?: string | null;
  title?: string;
  prompt?: string;
  language?: string;
  /** Seconds. */
  timeLimit?: number;
  /** Shows a Cancel button; default: false. */
  cancellable?: boolean;
  formats?: ("png" | "svg" | "inkml" | "strokes")[];
  /** What the person reads before signing. Without a digest or a file to compute it of, `sign` rejects with TypeError. */
  document?: SignDocument;
  /**
   * Cancels the request; the promise rejects with the signal's reason.
   *
   * Another `sign` of this page with the same reference waits for the cancellation, for at most 5 s.
   */
  signal?: AbortSignal;
}

export interface Message {
  title?: string;
  /** Default: "One moment, please" in the language. */
  text?: string;
  language?: string;
  /** Seconds. */
  timeLimit?: number;
  button?: boolean;
  signal?: AbortSignal;
}

export interface Question {
  title?: string;
  text: string;
  /** Two to four answers, each on a button. */
  choices: string[];
  language?: string;
  /** Seconds. */
  timeLimit?: number;
  /** Cancels the question; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** A pad behind paraph-web. */
export interface ConnectedPad {
  /** Describes the pad. Rejects as `connect`. */
  info(options?: { signal?: AbortSignal }): Promise<Record<string, unknown>>;
  /**
   * Asks for a signature. Uploads the request's document before, if it has one. Rejects with `Cancelled`, `TimedOut`,
   * `Busy`, `OutOfService`, `NotAllowed`, `InvalidRequest`, `BadDocument`,
   * with `Unreachable` if the pad has not come back for a minute, or with the reason of an aborted signal. A page that
   * closes cancels its request. If another page takes the request over by its reference, it goes on there, and this
   * promise rejects with `Cancelled` by `"program"`, whose `details.type` is `"urn:paraph:error:Superseded"`.
   *
   * If the connection breaks, the request is repeated with its reference for a minute. Within 5 s the pad goes on with
   * it; later the pad has cancelled it, and the person is asked again unless there was a signature meanwhile. The
   * document is uploaded again only then, and once if the pad has lost it before the request: because it needed the room
   * for a page that another person reads, or because another upload has replaced that of a page. If that happens again,
   * `sign` rejects with `BadDocument`, which is `lost`; another `sign` begins anew.
   */
  sign(request?: SignRequest): Promise<Signature>;
  cancel(reference?: string): Promise<void>;
  /**
   * Shows a message until it is gone; returns whether its button was pressed: false if its time has passed, or if a
   * program or the pad removed it.
   */
  show(message?: Message): Promise<boolean>;
  /**
   * Asks a question; returns the index of the choice that was pressed, from 0. Rejects as `sign`, but at once if the
   * connection breaks, which cancels the question.
   */
  ask(question: Question): Promise<number>;
  /**
   * Presses Done for the person. Rejects with `NotAllowed`, or with `InvalidRequest` if the button cannot be pressed now,
   * for example without ink: `details.type` is `"urn:paraph:error:NotEnabled"` then.
   */
  done(): Promise<void>;
  /** Wipes the ink for the person. Rejects as `done`. */
  clear(): Promise<void>;
  /**
   * Follows /v1/live until the signal aborts; connects again when the stream ends, or is silent for 40 s.
   *
   * A browser opens six connections to a host by HTTP/1.1, of all tabs together: abort it while the page is hidden.
   */
  live(
    listener: (name: string, data: Record<string, unknown>, id: string) => void,
    options?: { ink?: boolean; signal?: AbortSignal; onError?: (error: ParaphError) => void },
  ): Promise<void>;
}

/**
 * Connects to paraph-web. Rejects with `NotAllowed`, or with `Unreachable` if another server answers, or if paraph-web or
 * the pad does not answer within 5 s.
 */
export function connect(address?: string | URL, options?: { token?: string; signal?: AbortSignal }): Promise<ConnectedPad>;

/**
 * Signs on the pad, or on the canvas if the pad is unreachable, busy, out of service or not allowed.
 *
 * Rejects with `Cancelled` if another page takes the request over: it goes on there, and not on the canvas.
 *
 * The canvas is shown while a person signs on it, with title and prompt above it and buttons below; `words` are the
 * buttons' labels. A canvas that is no `Pad` becomes one meanwhile, with `labels`, and is empty afterwards.
 *
 * A request with a document is signed on the canvas only with `showsDocument`: otherwise the person has not read it,
 * and the promise rejects with the pad's error. A signature on the canvas has no `document`.
 */
export function signAnywhere(options: {
  pad: string | URL | ConnectedPad | Promise<ConnectedPad> | null;
  canvas: HTMLCanvasElement | Pad;
  request?: SignRequest;
  words?: { done?: string; clear?: string; undo?: string; cancel?: string };
  labels?: Partial<Labels>;
  token?: string;
  /** Whether this page shows the request's document itself when it is signed on the canvas; default: false. */
  showsDocument?: boolean;
}): Promise<Signature>;

/**
 * `<paraph-mirror src="…">`: the glass of a pad, live and to the pixel; without `src` it does nothing.
 *
 * Passes the events of /v1/live on under their names, with their data as `detail`, and `error`. While the page is
 * hidden, it is not connected, and those events are lost; seen again, it shows the ink of the moment.
 */
export class MirrorElement extends HTMLElement {
  readonly canvas: HTMLCanvasElement;
  set token(token: string);
}

export class ParaphError extends Error {
  /** The members of the problem details (RFC 9457) or of the reply. */
  readonly details: Record<string, unknown>;
}
/** The person, a program or the pad cancelled the request, or another page has taken it over (by `"program"`). */
export class Cancelled extends ParaphError {
  readonly by: "person" | "program" | "pad";
}
export class TimedOut extends ParaphError {}
export class Busy extends ParaphError {}
export class OutOfService extends ParaphError {
  readonly reason: string;
}
export class Unreachable extends ParaphError {}
export class NotAllowed extends ParaphError {}
/** The pad cannot show the document, or its signature is of another one. */
export class BadDocument extends ParaphError {
  /** The first page that is missing, incomplete or unusable, from 1. */
  readonly page: number | null;
  readonly reason: string;
  /** Whether the pad does not have all of the document any more: another `sign` uploads it again. */
  readonly lost: boolean;
}
/** The pad does not accept the request: a text that does not fit, for example, or a button that cannot be pressed now. */
export class InvalidRequest extends ParaphError {
  readonly parameter: string | null;
  readonly limit: number | null;
}

declare const Paraph: {
  Pad: typeof Pad;
  connect: typeof connect;
  signAnywhere: typeof signAnywhere;
  MirrorElement: typeof MirrorElement;
  ParaphError: typeof ParaphError;
  Cancelled: typeof Cancelled;
  TimedOut: typeof TimedOut;
  Busy: typeof Busy;
  OutOfService: typeof OutOfService;
  Unreachable: typeof Unreachable;
  NotAllowed: typeof NotAllowed;
  BadDocument: typeof BadDocument;
  InvalidRequest: typeof InvalidRequest;
};
export default Paraph;

declare global {
  interface HTMLElementTagNameMap {
    "paraph-mirror": MirrorElement;
  }
}
