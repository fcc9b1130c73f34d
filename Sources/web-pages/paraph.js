// Paraph in a browser: sign on the page (`Pad`), ask a signature pad (`connect`), show its glass (`<paraph-mirror>`).
//
// No dependencies; ink.wasm lies beside this file. The interface is described in paraph.d.ts, and what differs from
// signature_pad in browser.md.

// ---- Ink ----------------------------------------------------------------------------------------------------------

/** CSS defines an inch as 96 of its pixels. */
const MILLIMETRES = 25.4 / 96;
/** When the page's own clock began, in milliseconds since 1970. */
const ORIGIN = performance.timeOrigin;
/** The models, in the order of `create` in ink.wasm. */
const MODELS = ["ductus", "uberSignature", "velocityStrip", "polyline"];

/**
 * The compiled ink.wasm, or why there is none.
 *
 * A module with `await` delays pages that import it. It is needed: `new Pad` can draw at once, as in signature_pad.
 */
const ink = typeof document === "undefined" ? { error: new Error("Paraph: only pages can draw ink") } : await load();

async function load() {
  const address = new URL("ink.wasm", import.meta.url);
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    return { module: await WebAssembly.compile(await response.arrayBuffer()) };
  } catch (cause) {
    return { error: new Error(`Paraph: ${address} was not loaded (${cause.message}); pages cannot draw ink`, { cause }) };
  }
}

function instantiate() {
  if (!ink.module) throw ink.error;
  return new WebAssembly.Instance(ink.module).exports;
}

/** The ink of one canvas, in millimetres and nanoseconds. */
class Sheet {
  #wasm = instantiate();
  #context;
  #image = null;
  #width = 0;
  #height = 0;

  constructor(context) { this.#context = context; }

  get narrowest() { return this.#wasm.narrowest(); }
  get widest() { return this.#wasm.widest(); }
  get width() { return this.#width; }
  get height() { return this.#height; }

  /** Starts over; throws RangeError if the browser has no memory for that many pixels. */
  create(width, height, [x, y], model = "ductus", prediction = 0) {
    if (!this.#wasm.create(MODELS.indexOf(model), width, height, x, y, prediction)) {
      this.#width = this.#height = 0;
      throw new RangeError(`Paraph: a canvas of ${width} × ${height} pixels was refused (size or density out of range)`);
    }
    [this.#width, this.#height, this.#image] = [width, height, null];
  }

  /** Keeps the ink; returns false if it has to be drawn again by the caller. */
  resize(width, height, [x, y]) {
    if (!this.#wasm.resize(width, height, x, y)) return false;
    [this.#width, this.#height, this.#image] = [width, height, null];
    return true;
  }

  /** @param pen {narrowest, widest} in millimetres, colour as 0xRRGGBBAA, isEraser */
  setPen({ narrowest, widest, colour, isEraser }) { this.#wasm.setPen(narrowest, widest, colour, isEraser ? 1 : 0); }

  begin({ x, y, time, pressure }) { return this.#wasm.begin(x, y, time, pressure) === 1; }
  extend({ x, y, time, pressure }, isAfterGap = false) {
    return this.#wasm.extend(x, y, time, pressure, isAfterGap ? 1 : 0) === 1;
  }

  /** Shows predicted samples until the next real one. */
  predict(samples) {
    for (const { x, y, time, pressure } of samples) this.#wasm.foresee(x, y, time, pressure);
    this.#wasm.predict();
  }

  end() { this.#wasm.end(); }
  undo() { return this.#wasm.undo() === 1; }

  clear(background) { this.#wasm.clear(background); }

  /** Starts on earlier ink; see `EarlierImage`. Returns false if it is too large. */
  start({ coverage, width, height, scale, left, top }) {
    const address = this.#wasm.coverage(coverage.length);
    if (!address) return false;
    new Uint8Array(this.#wasm.memory.buffer, address, coverage.length).set(coverage);
    return this.#wasm.start(width, height, scale[0], scale[1], left, top) === 1;
  }

  /** Replaces the colours below the ink by those of an `ImageData` of the sheet's size. */
  paint(image) {
    const address = this.#wasm.page();
    new Uint8ClampedArray(this.#wasm.memory.buffer, address, image.data.length).set(image.data);
  }

  /** Copies what has changed to the canvas. */
  show() {
    if (!this.#wasm.compose()) return;
    this.#put(this.#wasm.left(), this.#wasm.top(), this.#wasm.width(), this.#wasm.height());
  }

  /** Copies a part to the canvas again, or all of it. */
  restore(x = 0, y = 0, width = this.#width, height = this.#height) {
    this.#wasm.compose();
    this.#put(x, y, width, height);
  }

  /** The outlines of the ink as the data of an SVG path, in micrometres. */
  path() {
    const count = this.#wasm.outline();
    const numbers = new Int32Array(this.#wasm.memory.buffer, this.#wasm.numbers(), count);
    const parts = [];
    let [x, y] = [0, 0];
    for (let next = 0; next < count;) {
      const kind = numbers[next++];
      if (kind === 0) {
        if (parts.length) parts.push("z");
        [x, y] = [numbers[next++], numbers[next++]];
        parts.push(`M${x} ${y}`);
        continue;
      }
      const points = [];
      for (let point = 0; point < kind; point++) points.push(`${numbers[next++] - x} ${numbers[next++] - y}`);
      [x, y] = [numbers[next - 2], numbers[next - 1]];
      parts.push("lqc"[kind - 1] + points.join(" "));
    }
    return parts.length ? parts.join("") + "z" : "";
  }

  #put(x, y, width, height) {
    const { buffer } = this.#wasm.memory;
    // Memory that has grown is another buffer.
    if (this.#image?.data.buffer !== buffer) {
      const bytes = new Uint8ClampedArray(buffer, this.#wasm.pixels(), 4 * this.#width * this.#height);
      this.#image = new ImageData(bytes, this.#width, this.#height);
    }
    this.#context.putImageData(this.#image, 0, 0, x, y, width, height);
  }
}

/** Colours of CSS as 0xRRGGBBAA; what CSS does not understand is black. */
const colours = {
  context: null,
  known: new Map(),
  value(text) {
    let value = this.known.get(text);
    if (value !== undefined) return value;
    this.context ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    this.context.fillStyle = "black";
    this.context.fillStyle = text;
    this.context.clearRect(0, 0, 1, 1);
    this.context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = this.context.getImageData(0, 0, 1, 1).data;
    value = ((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0;
    if (this.known.size > 64) this.known.clear();
    this.known.set(text, value);
    return value;
  },
};

// ---- Earlier ink --------------------------------------------------------------------------------------------------

/** An image that strokes are added to: earlier ink if it has one colour on no or white paper, otherwise its colours. */
class EarlierImage {
  /** The most pixels that are read; larger images are reduced. */
  static #limit = 1 << 22;
  /** The least alpha of pixels whose colour decides. Browsers multiply colours by alpha and round them. */
  static #faint = 16;

  /** @param place {x, y, width, height} in CSS pixels */
  constructor(bitmap, place) {
    this.bitmap = bitmap;
    this.place = place;
    this.ink = EarlierImage.#ink(bitmap);
  }

  /** Decodes an image; rejects if that is impossible. */
  static async load(address, place) {
    const image = new Image();
    image.crossOrigin = "anonymous";
    image.src = address;
    await image.decode();
    return new EarlierImage(image, place);
  }

  /** Puts the image below the strokes of an empty sheet. */
  draw(sheet, pen, size) {
    const { x, y, width, height } = this.place;
    const [across, down] = [sheet.width / size.width, sheet.height / size.height];
    if (this.ink) {
      sheet.setPen({ ...pen, colour: this.ink.colour, isEraser: false });
      if (sheet.start(this.#picture(sheet, across, down))) return;
    }
    const context = new OffscreenCanvas(sheet.width, sheet.height).getContext("2d");
    context.fillStyle = size.background;
    context.fillRect(0, 0, sheet.width, sheet.height);
    context.drawImage(this.bitmap, x * across, y * down, width * across, height * down);
    sheet.paint(context.getImageData(0, 0, sheet.width, sheet.height));
  }

  /** The ink for `Sheet.start`, which places pictures at whole pixels of theirs. */
  #picture(sheet, across, down) {
    const { x, y, width, height } = this.place;
    const { coverage, width: columns, height: rows } = this.ink;
    const [left, top] = [(x * columns) / width, (y * rows) / height];
    const [column, row] = [Math.round(left), Math.round(top)];
    if (Math.abs(left - column) < 0.01 && Math.abs(top - row) < 0.01) {
      // As the density of the sheet, so that an image of the sheet itself comes back unchanged.
      const scale = [columns / width / MILLIMETRES, rows / height / MILLIMETRES];
      return { coverage, width: columns, height: rows, scale, left: column, top: row };
    }
    const source = new OffscreenCanvas(columns, rows);
    const image = new ImageData(columns, rows);
    for (let pixel = 0; pixel < coverage.length; pixel++) image.data[4 * pixel + 3] = coverage[pixel];
    source.getContext("2d").putImageData(image, 0, 0);
    const context = new OffscreenCanvas(sheet.width, sheet.height).getContext("2d");
    context.drawImage(source, x * across, y * down, width * across, height * down);
    const { data } = context.getImageData(0, 0, sheet.width, sheet.height);
    return {
      coverage: EarlierImage.#alpha(data), width: sheet.width, height: sheet.height,
      scale: [across / MILLIMETRES, down / MILLIMETRES], left: 0, top: 0,
    };
  }

  static #alpha(data) {
    const alpha = new Uint8Array(data.length / 4);
    for (let pixel = 0; pixel < alpha.length; pixel++) alpha[pixel] = data[4 * pixel + 3];
    return alpha;
  }

  /** Its coverage and colour; null if it has several colours, other paper than white, or no size of its own. */
  static #ink(bitmap) {
    let [width, height] = [bitmap.naturalWidth, bitmap.naturalHeight];
    if (!width || !height) return null;
    const reduction = Math.min(1, Math.sqrt(EarlierImage.#limit / (width * height)));
    [width, height] = [Math.max(1, Math.floor(width * reduction)), Math.max(1, Math.floor(height * reduction))];
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0, width, height);
    const { data } = context.getImageData(0, 0, width, height);
    const alpha = EarlierImage.#alpha(data);
    const found = alpha.every((value) => value === 255)
      ? EarlierImage.#onPaper(data, width) : EarlierImage.#withoutPaper(data, alpha);
    return found && { ...found, width, height };
  }

  /** Greys on white paper, which is in the corners and on most of the picture. */
  static #onPaper(data, width) {
    const coverage = new Uint8Array(data.length / 4);
    let blank = 0;
    for (let pixel = 0; pixel < coverage.length; pixel++) {
      const [red, green, blue] = [data[4 * pixel], data[4 * pixel + 1], data[4 * pixel + 2]];
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 2) return null;
      coverage[pixel] = 255 - green;
      if (green === 255) blank++;
    }
    const corners = [0, width - 1, coverage.length - width, coverage.length - 1];
    if (corners.some((pixel) => coverage[pixel] > 0) || 2 * blank < coverage.length) return null;
    return { coverage, colour: 0xff };
  }

  /** Ink of the colour of its most opaque pixel. */
  static #withoutPaper(data, alpha) {
    let most = 0;
    for (let pixel = 1; pixel < alpha.length; pixel++) if (alpha[pixel] > alpha[most]) most = pixel;
    if (alpha[most] < EarlierImage.#faint) return null;
    const colour = data.slice(4 * most, 4 * most + 3);
    for (let pixel = 0; pixel < alpha.length; pixel++) {
      if (alpha[pixel] < EarlierImage.#faint) continue;
      const tolerance = 2 + 255 / alpha[pixel];
      for (let channel = 0; channel < 3; channel++) {
        if (Math.abs(data[4 * pixel + channel] - colour[channel]) > tolerance) return null;
      }
    }
    const [red, green, blue] = colour;
    return { coverage: alpha, colour: ((red << 24) | (green << 16) | (blue << 8) | 255) >>> 0 };
  }
}

// ---- Signing on the page ------------------------------------------------------------------------------------------

const LABELS = {
  pad: "Signature pad",
  help: "Draw with pointer or finger. With the keyboard: Space lowers and lifts the pen, arrow keys move it, Shift makes "
    + "small steps, Backspace or Control+Z removes the last stroke, Delete removes all.",
  penDown: "Pen down",
  penUp: "Pen up",
  strokeRemoved: "Last stroke removed",
  cleared: "Empty",
  restored: "Strokes restored",
};

/** Removes all listeners together. */
class Listeners {
  #controller = null;
  add(target, type, listener, options = {}) {
    this.#controller ??= new AbortController();
    target.addEventListener(type, listener, { ...options, signal: this.#controller.signal });
  }
  remove() {
    this.#controller?.abort();
    this.#controller = null;
  }
}

/**
 * The part of a canvas that shows its pixels, in CSS pixels: its size, and how far it is from the outer edge.
 *
 * `frameWidth` and `frameHeight` are those parts of CSS's width and height that are border and padding.
 */
function contentBox(canvas) {
  const style = getComputedStyle(canvas);
  const padding = (side) => parseFloat(style[`padding${side}`]) || 0;
  const [left, top] = [padding("Left"), padding("Top")];
  // A hidden canvas has padding, but no size.
  const width = Math.max(0, Math.round(canvas.clientWidth - left - padding("Right")));
  const height = Math.max(0, Math.round(canvas.clientHeight - top - padding("Bottom")));
  const hasFrame = style.boxSizing === "border-box";
  return {
    width, height, left: canvas.clientLeft + left, top: canvas.clientTop + top,
    frameWidth: hasFrame ? canvas.offsetWidth - width : 0, frameHeight: hasFrame ? canvas.offsetHeight - height : 0,
  };
}

/** What the keys of a `Pad` do, for buttons beside it. */
let keys;

/** A canvas to sign on, with the interface of signature_pad and the ink of Paraph's pads. */
export class Pad extends EventTarget {
  static {
    keys = {
      removeLast: (pad) => pad.#removeLast(), removeAll: (pad) => pad.#removeAll(),
      /** The next person cannot bring back what this one has removed. */
      forget: (pad) => { pad.#removed = null; },
    };
  }

  #canvas;
  #context;
  #sheet;
  #data = [];
  /** An `EarlierImage`, as `loaded`, or null while it is decoded; `before` is the image that it replaces then. */
  #image = null;
  /** The strokes and the image that the person has removed, by key or button. */
  #removed = null;
  #listeners = new Listeners();
  #strokeListeners = new Listeners();
  #observer = null;
  #pointer = null;
  /** The stroke in progress, as in the data. */
  #group = null;
  /** The detail of its last event. */
  #detailOfStroke = null;
  /** The sheet's size in CSS pixels. */
  #size = { width: 0, height: 0 };
  #keyboard = null;
  /** The elements and attributes for screen readers, while it listens. */
  #description = null;
  #labels;
  #isAutomatic;
  /** Whether the sheet had no room for all of the data. */
  #isIncomplete = false;
  /** The size of the canvas in the window, and what follows from it. */
  #box = null;
  /** The types of events that somebody has listened to. */
  #heard = new Set();

  constructor(canvas, options = {}) {
    super();
    this.#canvas = canvas;
    this.canvasContextOptions = options.canvasContextOptions ?? {};
    this.#context = canvas.getContext("2d", this.canvasContextOptions);
    this.#sheet = new Sheet(this.#context);
    this.minWidth = options.minWidth || this.#sheet.narrowest / 2 / MILLIMETRES;
    this.maxWidth = options.maxWidth || this.#sheet.widest / 2 / MILLIMETRES;
    this.dotSize = options.dotSize || 0;
    this.penColor = options.penColor || "black";
    this.backgroundColor = options.backgroundColor || "rgba(0,0,0,0)";
    this.compositeOperation = options.compositeOperation || "source-over";
    this.velocityFilterWeight = options.velocityFilterWeight || 0.7;
    this.throttle = options.throttle ?? 16;
    this.minDistance = options.minDistance ?? 5;
    this.#labels = { ...LABELS, ...options.labels };
    this.#isAutomatic = options.resize ?? true;
    if (this.#isAutomatic) this.#fit();
    this.clear();
    this.on();
  }

  get canvas() { return this.#canvas; }

  // -- signature_pad's methods

  on() {
    this.off();
    this.#description = new Description(this.#canvas, this.#labels);
    Object.assign(this.#canvas.style, { touchAction: "none", userSelect: "none", webkitUserSelect: "none" });
    const listen = (type, listener) => this.#listeners.add(this.#canvas, type, listener, { passive: false });
    listen("pointerdown", (event) => this.#pointerDown(event));
    listen("keydown", (event) => this.#keyDown(event));
    listen("blur", () => this.#leaveKeyboard());
    listen("contextrestored", () => this.#recover());
    // iOS: Scribble takes quick strokes of a pencil unless the touch is taken first.
    listen("touchstart", (event) => event.cancelable && event.preventDefault());
    if (!this.#isAutomatic) return;
    this.#observer = new ResizeObserver(() => this.#resized());
    this.#observer.observe(this.#canvas);
    // Another density without another size, where the observer does not tell.
    this.#listeners.add(window, "resize", () => this.#resized());
  }

  off() {
    this.#finish();
    this.#leaveKeyboard();
    this.#description?.remove();
    this.#description = null;
    this.#observer?.disconnect();
    this.#observer = null;
    this.#listeners.remove();
    Object.assign(this.#canvas.style, { touchAction: "auto", userSelect: "auto", webkitUserSelect: "auto" });
  }

  clear() {
    this.#data = [];
    this.#image = null;
    this.#removed = null;
    this.#replay();
  }

  redraw() { this.#replay(); }

  isEmpty() { return this.#data.length === 0 && !this.#image; }

  toData() { return this.#data; }

  fromData(groups, { clear = true } = {}) {
    const copies = groups.map((group) => ({ ...this.#options(), ...group }));
    if (clear) this.clear();
    for (const group of copies) if (group.points?.length) this.#draw(group);
    this.#data = this.#data.concat(groups.filter((group) => group.points?.length));
    this.#sheet.show();
  }

  async fromDataURL(address, options = {}) {
    this.#adoptSize();
    const place = {
      x: options.xOffset || 0, y: options.yOffset || 0,
      width: options.width || (options.ratio ? this.#canvas.width / options.ratio : this.#size.width),
      height: options.height || (options.ratio ? this.#canvas.height / options.ratio : this.#size.height),
    };
    const image = { address, place, loaded: null, hasFailed: false, before: this.#image };
    this.#image = image;
    try {
      image.loaded = await EarlierImage.load(address, place);
      image.before = null;
    } catch (cause) {
      image.hasFailed = true;
      // The one before may have failed as well meanwhile.
      const isCurrent = this.#image === image;
      while (this.#image?.hasFailed) this.#image = this.#image.before;
      if (isCurrent && this.#image?.loaded) this.#replay();
      throw new Error("Paraph: the image was not decoded; the canvas is unchanged", { cause });
    }
    // Cleared or replaced meanwhile.
    if (this.#image === image) this.#replay();
  }

  toDataURL(type = "image/png", options) {
    if (type === "image/svg+xml") {
      const bytes = new TextEncoder().encode(this.toSVG(typeof options === "object" ? options : undefined));
      return `data:image/svg+xml;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
    }
    return this.#withoutCursor(() => this.#canvas.toDataURL(type, typeof options === "number" ? options : undefined));
  }

  toSVG({ includeBackgroundColor = false, includeDataUrl = false } = {}) {
    return this.#svg(includeBackgroundColor, includeDataUrl ? this.#image : null);
  }

  /** @param image {address, place}, or null */
  #svg(hasBackground, image) {
    const { width, height } = this.#size;
    const [x, y] = [this.#canvas.width / width / MILLIMETRES, this.#canvas.height / height / MILLIMETRES];
    const namespace = "http://www.w3.org/2000/svg";
    // A page with Trusted Types may not parse one.
    const tree = document.implementation.createDocument(namespace, "svg", null);
    const add = (parent, name, attributes) => {
      const element = tree.createElementNS(namespace, name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      return parent.appendChild(element);
    };
    const svg = tree.documentElement;
    for (const [key, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height })) {
      svg.setAttribute(key, value);
    }
    if (hasBackground && this.backgroundColor) {
      add(svg, "rect", { width: "100%", height: "100%", fill: this.backgroundColor });
    }
    if (image) {
      const { address, place } = image;
      add(svg, "image", {
        x: place.x, y: place.y, width: place.width, height: place.height,
        preserveAspectRatio: "none", href: address,
      });
    }
    // Micrometres, which need no decimals.
    const group = add(svg, "g", { transform: `scale(${1 / MILLIMETRES / 1000})` });
    const sheet = new Sheet(null);
    for (const stroke of this.#data) {
      sheet.create(Math.max(1, this.#canvas.width), Math.max(1, this.#canvas.height), [x, y]);
      this.#draw({ ...this.#options(), ...stroke }, sheet);
      const path = sheet.path();
      if (path) add(group, "path", { fill: stroke.penColor ?? this.penColor, d: path });
    }
    return new XMLSerializer().serializeToString(svg);
  }

  // -- More than signature_pad has

  /** Removes the last stroke; returns whether there was one. */
  undo() {
    this.#finish();
    const group = this.#data.pop();
    if (!group) return false;
    // A dot of its own size, and what was drawn with an earlier pen, is not undone by the sheet.
    if (this.#isDot(group) || this.#isIncomplete || !this.#sheet.undo()) this.#replay();
    this.#sheet.show();
    return true;
  }

  /** The picture as a Blob. */
  toBlob(type = "image/png", quality) {
    return new Promise((resolve, reject) => {
      this.#withoutCursor(() => this.#canvas.toBlob(
        (blob) => blob ? resolve(blob) : reject(new Error(`Paraph: the browser does not encode ${type}`)), type, quality));
    });
  }

  /** The result of this canvas, as a pad of `connect` returns it, but without an id. */
  async result() {
    this.#recover();
    // All of one state: a person may draw on while the picture is encoded.
    const picture = this.toBlob();
    const first = this.#data[0]?.points[0]?.time ?? 0;
    const result = {
      id: null,
      svg: this.#svg((colours.value(this.backgroundColor) & 255) > 0, this.#shownImage()),
      strokes: this.#data.map(({ points }) => ({
        samples: points.map(({ x, y, time, pressure }) => ({
          t: (time - first) / 1000, x: x * MILLIMETRES, y: y * MILLIMETRES, ...(pressure > 0 ? { pressure } : {}),
        })),
      })),
    };
    return { ...result, png: await picture };
  }

  /** The earlier image as the canvas shows it, without its paper; null if there is none. */
  #shownImage() {
    if (!this.#image?.loaded) return null;
    const { width, height } = this.#sheet;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const sheet = new Sheet(canvas.getContext("2d"));
    sheet.create(width, height, [width / this.#size.width / MILLIMETRES, height / this.#size.height / MILLIMETRES]);
    this.#image.loaded.draw(sheet, this.#pen(this.#options()), { ...this.#size, background: "transparent" });
    sheet.restore();
    return { address: canvas.toDataURL(), place: { x: 0, y: 0, ...this.#size } };
  }

  // -- Size

  /** Gives the canvas a pixel for each of the screen's; returns whether its size changed. */
  #fit() {
    const canvas = this.#canvas;
    const { width, height } = contentBox(canvas);
    if (!width || !height) return false;
    const ratio = window.devicePixelRatio || 1;
    const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width === columns && canvas.height === rows) {
      return this.#sheet.width !== columns || this.#sheet.height !== rows
        || this.#size.width !== width || this.#size.height !== height;
    }
    [canvas.width, canvas.height] = [columns, rows];
    // Without a size in CSS the number of pixels would be it.
    const box = contentBox(canvas);
    if (box.width !== width) canvas.style.width = `${width + box.frameWidth}px`;
    if (box.height !== height) canvas.style.height = `${height + box.frameHeight}px`;
    return true;
  }

  /** Keeps the ink where it is when the canvas has another size. */
  #resized() { if (this.#fit()) this.#repaint(); }

  /** Puts all ink on the canvas again, at the size that the canvas has. */
  #repaint() {
    if (!this.#adoptSize()) return this.#replay();
    this.#sheet.restore();
    this.#keyboard?.show();
  }

  /**
   * Puts all ink on the canvas again. A browser loses a canvas's pixels with its graphics process, for example.
   *
   * Only another number of pixels changes the ink's place: another size in CSS could cut what the person has seen.
   */
  #recover() {
    const { width, height } = this.#canvas;
    if (width !== this.#sheet.width || height !== this.#sheet.height) return this.#repaint();
    this.#sheet.restore();
    this.#keyboard?.show();
  }

  /** Makes the sheet as large as the canvas, which a page may have changed; returns false if its ink is gone. */
  #adoptSize() {
    const { width, height } = this.#canvas;
    const box = contentBox(this.#canvas);
    const [columns, rows] = [Math.max(1, width), Math.max(1, height)];
    // A hidden canvas has no size in CSS; the one before holds if the page has not changed its pixels.
    const isAsBefore = columns === this.#sheet.width && rows === this.#sheet.height;
    const former = isAsBefore ? this.#size : { width: columns, height: rows };
    const size = { width: box.width || former.width, height: box.height || former.height };
    if (isAsBefore && size.width === this.#size.width && size.height === this.#size.height) return true;
    this.#size = size;
    const scale = [columns / size.width / MILLIMETRES, rows / size.height / MILLIMETRES];
    if (this.#sheet.width && this.#sheet.resize(columns, rows, scale)) return true;
    this.#sheet.create(columns, rows, scale);
    return false;
  }

  // -- Drawing

  /** Draws everything again. */
  #replay() {
    this.#adoptSize();
    const open = this.#group;
    this.#isIncomplete = false;
    this.#sheet.end();
    this.#sheet.clear(colours.value(this.backgroundColor));
    const options = this.#options();
    this.#image?.loaded?.draw(this.#sheet, this.#pen(options), { ...this.#size, background: this.backgroundColor });
    for (const group of this.#data) this.#draw({ ...options, ...group }, this.#sheet, group === open);
    this.#sheet.restore();
    this.#keyboard?.show();
  }

  #options() {
    const { penColor, dotSize, minWidth, maxWidth, velocityFilterWeight, compositeOperation } = this;
    return { penColor, dotSize, minWidth, maxWidth, velocityFilterWeight, compositeOperation };
  }

  #pen({ penColor, minWidth, maxWidth, compositeOperation }) {
    // signature_pad's widths are radii.
    return {
      narrowest: 2 * minWidth * MILLIMETRES, widest: 2 * maxWidth * MILLIMETRES, colour: colours.value(penColor),
      isEraser: compositeOperation === "destination-out",
    };
  }

  #dotSize(group) { return typeof group.dotSize === "function" ? group.dotSize() : group.dotSize; }
  #isDot(group) { return group.points.length === 1 && this.#dotSize(group) > 0; }

  #draw(group, sheet = this.#sheet, isOpen = false) {
    const pen = this.#pen(group);
    if (this.#isDot(group)) pen.narrowest = pen.widest = 2 * this.#dotSize(group) * MILLIMETRES;
    sheet.setPen(pen);
    const isDrawn = group.points.every(
      (point, index) => index ? sheet.extend(this.#sample(point)) : sheet.begin(this.#sample(point)));
    if (!isDrawn && sheet === this.#sheet) this.#isIncomplete = true;
    if (!isOpen) sheet.end();
  }

  /** A point of the data as a sample of ink.wasm. Devices without pressure report 0. */
  #sample({ x, y, time, pressure }) {
    return {
      x: x * MILLIMETRES, y: y * MILLIMETRES, time: Math.round(time * 1e6), pressure: pressure > 0 ? pressure : -1,
    };
  }

  // -- Pointers

  #pointerDown(event) {
    if (this.#pointer !== null || (event.buttons & 1) !== 1) return;
    // Ends the keyboard's stroke in progress.
    this.#leaveKeyboard();
    if (this.#group) return;
    event.preventDefault();
    this.#box = null;
    this.#canvas.focus({ preventScroll: true });
    // A listener may have ended the stroke.
    if (!this.#begin(this.#point(event), this.#detail(event)) || !this.#group) return;
    this.#pointer = event.pointerId;
    // The window's, as the pointer may leave the canvas.
    const target = this.#canvas.ownerDocument.defaultView ?? window;
    const listen = (type, listener) => this.#strokeListeners.add(target, type, (event) => {
      if (event.pointerId !== this.#pointer) return;
      event.preventDefault();
      listener(event);
    }, { passive: false });
    listen("pointermove", (event) => this.#pointerMove(event));
    listen("pointerup", (event) => this.#pointerUp(event));
    listen("pointercancel", (event) => this.#finish(this.#detail(event)));
  }

  #pointerMove(event) {
    if ((event.buttons & 1) !== 1) return this.#finish(this.#detail(event));
    const coalesced = event.getCoalescedEvents?.() ?? [];
    const predicted = event.getPredictedEvents?.() ?? [];
    // Asked once for all, as the browser computes it anew each time.
    const place = this.#place();
    this.#extend(
      (coalesced.length ? coalesced : [event]).map((event) => this.#point(event, place)),
      predicted.map((event) => this.#point(event, place)), this.#detail(event));
  }

  #pointerUp(event) {
    if ((event.buttons & 1) === 1) return;
    const point = this.#point(event);
    const last = this.#group?.points.at(-1);
    // A pen that leaves has no pressure any more.
    if (last && !point.pressure) point.pressure = last.pressure;
    // Most pens and fingers report no other position when they leave.
    if (last && (last.x !== point.x || last.y !== point.y)) this.#extend([point], [], this.#detail(event));
    this.#finish(this.#detail(event));
  }

  /** Where the canvas is in the window, where its pixels begin, and how much CSS scales it. */
  #place() {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    // Each of these takes as long as the ink of a sample: they are kept for a stroke.
    if (this.#box?.width !== width || this.#box.height !== height) {
      const { offsetWidth, offsetHeight } = this.#canvas;
      const [across, down] = [offsetWidth / (width || 1), offsetHeight / (height || 1)];
      const { left: insetX, top: insetY } = contentBox(this.#canvas);
      this.#box = { width, height, across, down, insetX, insetY };
    }
    return { ...this.#box, left, top };
  }

  /** An event's position in CSS pixels of the canvas, also of one that CSS has scaled. */
  #point(event, place = this.#place()) {
    return {
      time: ORIGIN + (event.timeStamp || performance.now()),
      x: (event.clientX - place.left) * place.across - place.insetX,
      y: (event.clientY - place.top) * place.down - place.insetY,
      // A mouse reports 0.5, and many screens 1, whatever the finger does.
      pressure: event.pointerType === "pen" ? event.pressure : 0,
    };
  }

  #detail(event) {
    return { event, type: event.type, x: event.clientX, y: event.clientY, pressure: event.pressure ?? 0 };
  }

  addEventListener(type, ...rest) {
    this.#heard.add(type);
    super.addEventListener(type, ...rest);
  }

  /** Returns false if a listener has prevented what would come. */
  #notify(type, detail, cancelable = false) {
    if (!this.#heard.has(type)) return true;
    return this.dispatchEvent(new CustomEvent(type, { detail, cancelable }));
  }

  /** Starts a stroke; returns false if a listener or the store refuses it. */
  #begin(point, detail) {
    if (!this.#notify("beginStroke", detail, true)) return false;
    if (!this.#adoptSize()) this.#replay();
    const group = { ...this.#options(), points: [] };
    this.#notify("beforeUpdateStroke", detail);
    this.#sheet.setPen(this.#pen(group));
    if (!this.#sheet.begin(this.#sample(point))) return false;
    group.points.push(point);
    this.#group = group;
    this.#detailOfStroke = detail;
    this.#data.push(group);
    this.#sheet.show();
    this.#notify("afterUpdateStroke", detail);
    return true;
  }

  #extend(points, predicted, detail) {
    const group = this.#group;
    if (!group) return;
    this.#detailOfStroke = detail;
    // A page that cleared meanwhile: the stroke starts again.
    if (this.#data.at(-1) !== group) {
      this.#group = null;
      const [first, ...others] = points;
      if (first && this.#begin(first, detail) && others.length) this.#extend(others, predicted, detail);
      return;
    }
    this.#notify("beforeUpdateStroke", detail);
    for (const point of points) {
      // The store is full: 144,000 samples.
      if (!this.#sheet.extend(this.#sample(point))) break;
      group.points.push(point);
    }
    if (predicted.length) this.#sheet.predict(predicted.map((point) => this.#sample(point)));
    this.#sheet.show();
    this.#notify("afterUpdateStroke", detail);
  }

  /** Ends the stroke in progress, if any; `detail` is that of its last event unless another one ends it. */
  #finish(detail = this.#detailOfStroke) {
    this.#strokeListeners.remove();
    this.#pointer = null;
    const group = this.#group;
    if (!group) return;
    this.#group = this.#detailOfStroke = null;
    this.#sheet.end();
    if (this.#isDot(group) && this.#data.at(-1) === group) this.#replay();
    this.#sheet.show();
    this.#notify("endStroke", detail);
  }

  // -- Keyboard and screen readers

  #say(text) { this.#description?.say(text); }

  #keyDown(event) {
    if (this.#pointer !== null || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (isCommand) {
      if (event.key.toLowerCase() !== "z" || event.shiftKey) return;
      if (!this.#removeLast() && this.#restore()) this.#say(this.#labels.restored);
    } else if (event.key in steps) {
      this.#enterKeyboard().move(...steps[event.key], event);
    } else if (event.key === " " || event.key === "Enter") {
      if (!event.repeat) this.#enterKeyboard().toggle(event);
    } else if (event.key === "Backspace") {
      this.#removeLast();
    } else if (event.key === "Delete") {
      this.#removeAll();
    } else if (event.key === "Escape" && this.#keyboard) {
      this.#leaveKeyboard();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Removes the last stroke for the person; returns whether there was one. */
  #removeLast() {
    const wasThere = this.undo();
    if (wasThere) this.#say(this.#labels.strokeRemoved);
    return wasThere;
  }

  /** Removes all for the person, who can bring it back. */
  #removeAll() {
    this.#leaveKeyboard();
    const removed = this.isEmpty() ? this.#removed : [this.#data, this.#image];
    this.clear();
    this.#removed = removed;
    this.#say(this.#labels.cleared);
  }

  /** Brings back what the person has removed; returns whether there was something. */
  #restore() {
    if (!this.#removed || !this.isEmpty()) return false;
    [this.#data, this.#image] = this.#removed;
    this.#removed = null;
    // It may have failed to load meanwhile.
    while (this.#image?.hasFailed) this.#image = this.#image.before;
    this.#replay();
    return true;
  }

  #enterKeyboard() {
    this.#keyboard ??= new KeyboardPen(this.#canvas, this.#context, this.#sheet, () => this.#size, {
      begin: (point, event) => this.#begin(point, this.#keyDetail(point, event)) && (this.#say(this.#labels.penDown), true),
      extend: (point, event) => this.#extend([point], [], this.#keyDetail(point, event)),
      end: (point, event) => {
        if (this.#group) this.#say(this.#labels.penUp);
        this.#finish(event && this.#keyDetail(point, event));
      },
      isDown: () => this.#group !== null,
    });
    return this.#keyboard;
  }

  #keyDetail(point, event) {
    const { left, top, across, down, insetX, insetY } = this.#place();
    // A canvas that is not shown has no size.
    const [x, y] = [left + (point.x + insetX) / (across || 1), top + (point.y + insetY) / (down || 1)];
    return { event, type: event.type, x, y, pressure: 0 };
  }

  #leaveKeyboard() {
    const keyboard = this.#keyboard;
    this.#keyboard = null;
    keyboard?.leave();
  }

  #withoutCursor(body) {
    this.#keyboard?.hide();
    try { return body(); } finally { this.#keyboard?.show(); }
  }
}

let idCount = 0;

/** An id for an element of a page. */
function newID() { return `paraph-${++idCount}`; }

/** A canvas's name, help and messages for screen readers, for as long as a pad listens. */
class Description {
  #canvas;
  /** The attributes that the page had not set. */
  #attributes = {};
  #help = document.createElement("span");
  #status = document.createElement("span");

  constructor(canvas, labels) {
    this.#canvas = canvas;
    const isNamed = canvas.hasAttribute("aria-label") || canvas.hasAttribute("aria-labelledby");
    Object.assign(this.#help, { id: newID(), hidden: true, textContent: labels.help });
    this.#status.setAttribute("role", "status");
    // The content of a canvas is not shown, but read.
    canvas.append(this.#help, this.#status);
    // Arrow keys belong to the pad, not to the reader's own cursor.
    const wanted = {
      tabindex: "0", role: "application", ...(isNamed ? {} : { "aria-label": labels.pad }),
      "aria-roledescription": labels.pad, "aria-describedby": this.#help.id,
    };
    for (const [name, value] of Object.entries(wanted)) {
      if (canvas.hasAttribute(name)) continue;
      canvas.setAttribute(name, value);
      this.#attributes[name] = value;
    }
  }

  /** Changes the text even if the last message was equal: a screen reader hears of changes only. */
  say(text) { this.#status.textContent = this.#status.textContent === text ? `${text}\u00a0` : text; }

  remove() {
    this.#help.remove();
    this.#status.remove();
    for (const [name, value] of Object.entries(this.#attributes)) {
      if (this.#canvas.getAttribute(name) === value) this.#canvas.removeAttribute(name);
    }
  }
}

/** A pen that arrow keys move; a cross shows where it is. */
class KeyboardPen {
  /** Arms of the cross, and the steps of an arrow key, in CSS pixels. */
  static #arm = 8;
  static #step = 10;
  static #smallStep = 2;
  #place;

  /** @param size Returns the canvas's size in CSS pixels; `stroke` has the pad's methods. */
  constructor(canvas, context, sheet, size, stroke) {
    Object.assign(this, { canvas, context, sheet, size, stroke });
    this.#place = { x: size().width / 2, y: size().height / 2 };
    this.show();
  }

  move(x, y, event) {
    this.hide();
    const step = event.shiftKey ? KeyboardPen.#smallStep : KeyboardPen.#step;
    this.#place = {
      x: Math.min(Math.max(this.#place.x + x * step, 0), this.size().width),
      y: Math.min(Math.max(this.#place.y + y * step, 0), this.size().height),
    };
    if (this.stroke.isDown()) this.stroke.extend(this.#point(event), event);
    this.show();
  }

  toggle(event) {
    this.hide();
    if (this.stroke.isDown()) this.stroke.end(this.#point(event), event);
    else this.stroke.begin(this.#point(event), event);
    this.show();
  }

  leave() {
    this.hide();
    this.stroke.end();
  }

  show() {
    const { context } = this;
    const [x, y, across, down] = this.#cross();
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = "source-over";
    for (const [colour, width] of [["white", 3], ["black", 1]]) {
      [context.strokeStyle, context.lineWidth] = [colour, (width * across) / KeyboardPen.#arm];
      context.beginPath();
      context.moveTo(x - across, y);
      context.lineTo(x + across, y);
      context.moveTo(x, y - down);
      context.lineTo(x, y + down);
      context.stroke();
    }
    context.restore();
  }

  hide() {
    const [x, y, across, down] = this.#cross();
    const margin = 2 + Math.ceil(across / 2);
    this.sheet.restore(
      Math.floor(x - across) - margin, Math.floor(y - down) - margin, Math.ceil(2 * across) + 2 * margin,
      Math.ceil(2 * down) + 2 * margin);
  }

  /** In pixels of the canvas: the centre and the arms. */
  #cross() {
    const [across, down] = [this.canvas.width / this.size().width, this.canvas.height / this.size().height];
    return [this.#place.x * across, this.#place.y * down, KeyboardPen.#arm * across, KeyboardPen.#arm * down];
  }

  #point(event) {
    return { time: ORIGIN + (event.timeStamp || performance.now()), pressure: 0, ...this.#place };
  }
}

// ---- A signature pad ----------------------------------------------------------------------------------------------

/** Why there is no signature. `name` is that of the class. */
export class ParaphError extends Error {
  /** @param details The members of the problem details (RFC 9457), if the pad sent any. */
  constructor(message, details = {}, options) {
    super(message, options);
    this.name = new.target.name;
    this.details = details;
  }
}
/** The request was cancelled; `by` says by whom: "person", "program" or "pad". */
export class Cancelled extends ParaphError { get by() { return this.details.cancelled_by ?? "program"; } }
/** Nobody signed within the time limit. */
export class TimedOut extends ParaphError {}
/** The pad serves another request. */
export class Busy extends ParaphError {}
/** The pad cannot save signatures; `reason` says why. */
export class OutOfService extends ParaphError { get reason() { return this.details.reason ?? this.details.detail ?? ""; } }
/** No paraph-web answers at the address, or its pad does not run. */
export class Unreachable extends ParaphError {}
/** The pad does not allow this page what it asks for. */
export class NotAllowed extends ParaphError {}
/** The pad cannot show the document, or its signature is of another one. */
export class BadDocument extends ParaphError {
  /** The first page that is missing, incomplete or unusable, from 1; null: none in particular. */
  get page() { return this.details.page ?? null; }
  get reason() { return this.details.reason ?? this.details.detail ?? ""; }
  /** Whether the pad does not have all of the document any more. */
  get lost() { return this.details.lost === true; }
}
/** The pad does not accept the request: a text that does not fit, for example. */
export class InvalidRequest extends ParaphError {
  get parameter() { return this.details.parameter ?? null; }
  /** The number of characters that fit. */
  get limit() { return this.details.limit ?? null; }
}

const ERRORS = {
  __proto__: null, Busy, OutOfService, Unreachable, BadDocument, TooManyConnections: Busy, TooManyDocuments: Busy,
  StrokesNotAllowed: NotAllowed, PressNotAllowed: NotAllowed, PermissionDenied: NotAllowed, Forbidden: NotAllowed,
  Unauthorized: NotAllowed, NotEnabled: InvalidRequest,
  // Of a request: it goes on, with another page. Of an upload, see ConnectedPad.#upload.
  Superseded: Cancelled,
};

/** The error of a response that has no result. A response that is not paraph-web's has a status, but no type. */
async function problem(response) {
  let details;
  try { details = await response.json(); } catch { /* Of another server. */ }
  const name = /^urn:paraph:error:(\w+)$/.exec(details?.type)?.[1];
  if (!name) return foreign(response);
  return new (ERRORS[name] ?? InvalidRequest)(`Paraph: ${details.detail ?? details.title ?? name}`, details);
}

function foreign({ url, status }) {
  return new Unreachable(`Paraph: no paraph-web answers at ${url} (HTTP status ${status})`, { status });
}

/** Waits; rejects with the signal's reason if it is aborted. */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Waiting times after failures, in milliseconds: doubled up to a limit, and scattered. */
class Backoff {
  #next = 250;
  take() {
    const wait = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(2 * this.#next, 5000);
    return wait;
  }
  reset() { this.#next = 250; }
}

/** Aborts an attempt with the signal of its caller, or when `restart` has not been called for a time. */
class Watchdog {
  #controller = new AbortController();
  #caller;
  #limit;
  #timer;
  #abort = () => this.#controller.abort(this.#caller.reason);

  constructor(caller, limit) {
    [this.#caller, this.#limit] = [caller, limit];
    if (caller?.aborted) this.#abort();
    caller?.addEventListener("abort", this.#abort);
    this.restart();
  }

  get signal() { return this.#controller.signal; }

  restart() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.#controller.abort(new Error(`nothing was received for ${this.#limit / 1000} s`)), this.#limit);
  }

  /** Ends the attempt, and what it has opened. */
  end() {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }
}

/** How long a request whose connection broke is repeated, in milliseconds: as long as an unread result is kept. */
const RESUMPTION = 60_000;
/** How long an attempt lasts, in milliseconds, whose break is the first of a new series. */
const STEADY = 10_000;
/** How long paraph-web may take to answer, in milliseconds, where it waits for nobody. */
const ANSWER = 5000;
/** How long the upload of a page may take, in milliseconds: paraph-web disconnects a slower one after 60 s. */
const UPLOAD = 70_000;
/** How long a stream of events may be silent, in milliseconds: paraph-web sends a comment every 15 s. */
const SILENCE = 40_000;

/** The cancellations whose answers are awaited, by address and reference. */
const cancellations = new Map();

/** A pad behind paraph-web; `connect` makes it. */
class ConnectedPad {
  #address;
  #headers;

  constructor(address, token) {
    this.#address = address;
    this.#headers = token ? { Authorization: `Bearer ${token}` } : {};
  }

  /** The pad's description (GetInfo). */
  info({ signal } = {}) {
    return this.#within(ANSWER, signal, async (signal) => {
      const response = await this.#fetch("v1/info", { signal });
      const info = await this.#json(response, signal);
      if (!info?.web) throw foreign(response);
      return info;
    });
  }

  /** Asks for a signature; see paraph.d.ts. */
  async sign({
    signal, timeLimit, formats = ["png", "svg", "strokes"], reference, document: original, ...texts
  } = {}) {
    signal?.throwIfAborted();
    reference ??= newReference();
    const document = original && await RequestDocument.of(original);
    await this.#settle(reference, signal);
    const request = JSON.stringify({
      ...texts, reference, formats, time_limit: timeLimit, document: document?.description,
    });
    const [leave, abort] = [() => this.#leave(reference), () => this.#abort(reference)];
    // At once: the page may make the request again in the same task.
    signal?.addEventListener("abort", abort, { once: true });
    globalThis.addEventListener?.("pagehide", leave);
    try {
      return signature(await this.#repeat(request, document, signal), document?.description.digest);
    } finally {
      globalThis.removeEventListener?.("pagehide", leave);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Cancels the open request, or only that of a reference. */
  async cancel(reference) { await this.#post("v1/cancel", { reference }); }

  /** Shows a message; returns whether its button was pressed. */
  async show({ timeLimit, signal, ...message } = {}) {
    const response = await this.#post("v1/show", { ...message, time_limit: timeLimit }, signal);
    return (await this.#json(response, signal)).acknowledged;
  }

  /** Asks a question; returns the index of the choice that was pressed. */
  async ask({ timeLimit, signal, ...question }) {
    const response = await this.#post("v1/ask", { ...question, time_limit: timeLimit }, signal);
    const { outcome, choice, ...rest } = await this.#json(response, signal);
    if (outcome === "cancelled") throw new Cancelled("Paraph: the question was cancelled", { outcome, ...rest });
    if (outcome === "timed_out") throw new TimedOut("Paraph: nobody answered within the time limit", { outcome, ...rest });
    return choice;
  }

  /** Presses Done for the person, if the pad allows this page to. */
  async done() { await this.#post("v1/done", {}); }

  /** Wipes the ink for the person, if the pad allows this page to. */
  async clear() { await this.#post("v1/clear", {}); }

  /** Calls `listener` with the name, the data and the id of each event of /v1/live, until the signal aborts. */
  live(listener, { ink = true, signal, onError } = {}) {
    return followEvents(new URL(`v1/live${ink ? "" : "?ink=no"}`, this.#address), this.#headers, listener, signal, onError);
  }

  /** Repeats a request with its reference while the connection breaks, so that paraph-web resumes it. */
  async #repeat(request, document, signal) {
    const backoff = new Backoff();
    let end = null;
    // The pad loses a document whose request is cancelled, and one that it has no request for yet: when it ends, or needs
    // the room for a page that a person reads.
    let [isUploaded, mayBeLost] = [!document, Boolean(document)];
    for (;;) {
      let asked = Infinity;
      try {
        // A network that loses packets would look like a pad that waits for a person.
        if (end !== null) await this.#probe(signal);
        if (!isUploaded) {
          for (const index of document.pages.keys()) {
            asked = performance.now();
            await this.#upload(document, index + 1, signal);
          }
          isUploaded = true;
        }
        asked = performance.now();
        return await this.#json(await this.#post("v1/sign", request, signal), signal);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof BadDocument && error.lost && mayBeLost) {
          [isUploaded, mayBeLost] = [false, false];
          continue;
        }
        // Another server refuses what paraph-web would not.
        if (!(error instanceof Unreachable) || error.details.status < 500) throw error;
        const now = performance.now();
        // paraph-web has waited for the pad itself.
        if (error.details.type && now - asked >= RESUMPTION) throw error;
        // The same page may break each upload: that begins no new series.
        if (isUploaded && !error.details.type && now - asked >= STEADY) {
          [end, mayBeLost] = [null, Boolean(document)];
          backoff.reset();
        }
        end ??= now + RESUMPTION;
        if (now > end) throw error;
      }
      await pause(backoff.take(), signal);
    }
  }

  /** Uploads a page, from 1, of a document. */
  async #upload({ id, pages, type }, page, signal) {
    try {
      await this.#within(UPLOAD, signal, (signal) => this.#fetch(`v1/documents/${id}/${page}`, {
        method: "PUT", body: pages[page - 1], signal, headers: { "Content-Type": type },
      }));
    } catch (error) {
      if (error?.details?.type !== "urn:paraph:error:Superseded") throw error;
      // No request has ended: another upload of the page, such as a repetition by a proxy, has begun it anew.
      throw new BadDocument(error.message, { ...error.details, page, lost: true });
    }
  }

  /** Throws unless paraph-web answers, with a result or a problem. */
  async #probe(signal) {
    try {
      await this.info({ signal });
    } catch (error) {
      if (!error?.details?.type) throw error;
    }
  }

  /** Returns what `body` does with a signal that also ends it after a time, in milliseconds: no pad answers then. */
  async #within(limit, signal, body) {
    const attempt = new Watchdog(signal, limit);
    try {
      return await body(attempt.signal);
    } catch (error) {
      if (signal?.aborted || error instanceof ParaphError) throw error;
      throw unreachable(this.#address, error);
    } finally {
      attempt.end();
    }
  }

  /** Waits while an aborted request with this reference is being cancelled: that would cancel the next one as well. */
  async #settle(reference, signal) {
    const cancellation = cancellations.get(`${this.#address} ${reference}`);
    if (cancellation && !signal?.aborted) await Promise.race([cancellation, pause(ANSWER, signal)]);
    signal?.throwIfAborted();
  }

  /** Cancels a request whose signal was aborted: the pad would wait for the return of its connection. */
  #abort(reference) {
    // Without a reference it would cancel the request of any client. A request that has none ends with its connection.
    if (typeof reference !== "string") return;
    const key = `${this.#address} ${reference}`;
    // Firefox before 133 ends the cancellation with the page.
    const leave = () => this.#beacon(reference);
    globalThis.addEventListener?.("pagehide", leave);
    // With a limit: a late one would end the next request.
    const sent = this.#within(ANSWER, undefined, (signal) => this.#cancelAtOnce(reference, signal));
    const cancellation = sent.finally(() => {
      globalThis.removeEventListener?.("pagehide", leave);
      if (cancellations.get(key) === cancellation) cancellations.delete(key);
    });
    cancellations.set(key, cancellation);
  }

  /** Cancels a request whose page is being closed. */
  #leave(reference) {
    if (typeof reference === "string" && !this.#beacon(reference)) this.#cancelAtOnce(reference);
  }

  /** Sends a cancellation that outlives the page; returns false if it cannot: a beacon has no Authorization header. */
  #beacon(reference) {
    return !this.#headers.Authorization
      && navigator.sendBeacon?.(new URL("v1/cancel", this.#address), JSON.stringify({ reference }));
  }

  /** Also sends while the page is being closed; resolves when there is an answer or none will come. */
  #cancelAtOnce(reference, signal) {
    return fetch(new URL("v1/cancel", this.#address), {
      method: "POST", keepalive: true, signal, body: JSON.stringify({ reference }),
      headers: { ...this.#headers, "Content-Type": "application/json" },
    }).catch(() => {});
  }

  #post(path, body, signal) {
    return this.#fetch(path, {
      method: "POST", signal, headers: { "Content-Type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  async #fetch(path, options) {
    let response;
    try {
      response = await fetch(new URL(path, this.#address), {
        ...options, headers: { ...options.headers, ...this.#headers }, cache: "no-store",
      });
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      throw unreachable(this.#address, error);
    }
    if (!response.ok) throw await problem(response);
    return response;
  }

  async #json(response, signal) {
    try {
      return await response.json();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw unreachable(this.#address, error);
    }
  }
}

/** A document as it is uploaded, and as its request describes it. */
class RequestDocument {
  id = newReference();

  /** Throws TypeError if there is nothing to read, or no digest. */
  static async of({ name, pages, text, original, digest, early }) {
    const made = new RequestDocument();
    made.type = pages ? "image/png" : "text/plain;charset=UTF-8";
    made.pages = pages ? [...pages] : [text];
    if (made.pages.length === 0 || !pages === (typeof text !== "string")) {
      throw new TypeError("Paraph: a document has either pages or a text");
    }
    // The pad takes lines that end in a line feed.
    if (!pages) made.pages = [text.replaceAll("\r\n", "\n")];
    // A text without a file is the original itself, as it was given.
    const file = original ?? (pages ? null : new Blob([text]));
    if (digest === undefined) digest = await RequestDocument.#digest(file);
    made.description = { id: made.id, name, digest, pages: made.pages.length, early };
    return made;
  }

  static async #digest(file) {
    if (!file) throw new TypeError("Paraph: a document of pages needs its original file, or the digest of that");
    // Browsers have it in secure contexts only.
    if (!globalThis.crypto?.subtle) throw new TypeError("Paraph: a page without https must pass the document's digest");
    const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}

function unreachable(address, cause) {
  if (cause instanceof Unreachable) return cause;
  return new Unreachable(`Paraph: no pad answers at ${address} (${cause.message})`, {}, { cause });
}

/** A reference for a request that has none, so that it can be resumed. */
function newReference() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The result of the last reply of Sign; throws if there is no signature, or that of a document with another digest. */
function signature(reply, digest) {
  if (reply.state === "cancelled") throw new Cancelled("Paraph: the request was cancelled", reply);
  if (reply.state === "timed_out") throw new TimedOut("Paraph: nobody signed within the time limit", reply);
  if (!reply.signature) {
    throw new Unreachable(`Paraph: the pad ended the request without a signature (state ${reply.state})`, reply);
  }
  const { png, svg, inkml, ...rest } = reply.signature;
  // The reference may be that of an earlier request.
  if (rest.document?.digest !== digest) {
    const reason = "the signature is of another document";
    throw new BadDocument(`Paraph: ${reason}`, { reason });
  }
  const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const text = (coded) => coded === undefined ? undefined : new TextDecoder().decode(bytes(coded));
  return {
    ...rest, png: png === undefined ? undefined : new Blob([bytes(png)], { type: "image/png" }), svg: text(svg),
    inkml: text(inkml),
  };
}

/** Connects to paraph-web at an address; see paraph.d.ts. */
export async function connect(address = ".", { token, signal } = {}) {
  // Workers have no document, and other programs no address of their own.
  const base = new URL(address, globalThis.document?.baseURI ?? globalThis.location?.href);
  // Paths are relative to a folder.
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  const pad = new ConnectedPad(base, token);
  await pad.info({ signal });
  return pad;
}

// ---- Live events --------------------------------------------------------------------------------------------------

/** Splits a stream of server-sent events (HTML, 9.2.6) into events; an `EventSource` would send no token. */
class EventSplitter {
  #rest = "";
  #lines = [];
  lastID = "";
  /** The least time before the next connection, in milliseconds. */
  retry = 0;

  /** Returns the events that a part of the stream completes. */
  push(text) {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    const events = [];
    for (const line of lines) {
      if (line !== "") this.#lines.push(line);
      else if (this.#lines.length) {
        const event = this.#event();
        if (event) events.push(event);
      }
    }
    return events;
  }

  #event() {
    const fields = { event: "message", data: [] };
    for (const line of this.#lines.splice(0)) {
      const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (name === "data") fields.data.push(value);
      else if (name === "event") fields.event = value;
      else if (name === "id") this.lastID = value;
      else if (name === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
    }
    return fields.data.length ? { name: fields.event, data: fields.data.join("\n"), id: this.lastID } : null;
  }
}

/** Calls what a page has passed; its errors are the page's. */
function call(callback, ...values) {
  try { callback?.(...values); } catch (error) { reportError(error); }
}

/** Reads events until the signal aborts, and connects again when the stream ends or is silent. */
async function followEvents(address, headers, listener, signal, onError) {
  const backoff = new Backoff();
  let [lastID, retry] = ["", 0];
  while (!signal?.aborted) {
    const attempt = new Watchdog(signal, SILENCE);
    const begun = performance.now();
    try {
      const response = await fetch(address, {
        signal: attempt.signal, cache: "no-store",
        headers: { ...headers, Accept: "text/event-stream", ...(lastID ? { "Last-Event-ID": lastID } : {}) },
      });
      if (!response.ok) throw await problem(response);
      if (!/^text\/event-stream\b/.test(response.headers.get("Content-Type"))) throw foreign(response);
      const splitter = new EventSplitter();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) throw new Unreachable("Paraph: the stream of events ended");
        attempt.restart();
        for (const { name, data, id } of splitter.push(value)) {
          // An event that failed is not asked for again.
          if (id) lastID = id;
          call(listener, name, JSON.parse(data), id);
          if (signal?.aborted) return;
        }
        retry = splitter.retry;
      }
    } catch (error) {
      if (signal?.aborted) return;
      call(onError, error instanceof ParaphError ? error : unreachable(address, attempt.signal.reason ?? error));
      // Another attempt would be refused as well.
      if (error instanceof NotAllowed) return;
    } finally {
      attempt.end();
    }
    if (performance.now() - begun >= STEADY) backoff.reset();
    try { await pause(Math.max(backoff.take(), retry), signal); } catch { return; }
  }
}

/** The glass of a pad as the events of /v1/live tell it, on a canvas of the glass's own pixels. */
class Mirror {
  #canvas;
  #sheet;
  #isReady = false;
  #stroke = null;
  #signature = null;

  constructor(canvas) {
    this.#canvas = canvas;
    this.#sheet = new Sheet(canvas.getContext("2d"));
  }

  /** Takes an event; ignores those that it does not know. */
  take(name, event) {
    if (name === "begin") return this.#begin(event);
    if (!this.#isReady || event.signature !== this.#signature) return;
    if (name === "ink") for (const step of event.samples) this.#step(step);
    else if (name === "undo") this.#undo();
    else if (name === "clear") this.#clear();
    else return;
    this.#sheet.show();
  }

  /** Puts all ink on a canvas that has lost its pixels. */
  restore() { if (this.#isReady) this.#sheet.restore(); }

  #begin({ signature, width, height, scale, pen }) {
    this.#isReady = false;
    this.#signature = signature;
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    this.#sheet.setPen({
      narrowest: pen.narrowest, widest: pen.widest, colour: colours.value(pen.ink ?? "black"), isEraser: false,
    });
    this.#sheet.create(width, height, scale, pen.model, (pen.prediction ?? 0) * 1e9);
    this.ground = pen.ground ?? "white";
    this.#isReady = true;
    this.#clear();
    this.#sheet.show();
  }

  /** The next stroke has the number of the one that is gone. */
  #undo() {
    this.#stroke = null;
    this.#sheet.undo();
  }

  #clear() {
    this.#stroke = null;
    this.#sheet.clear(colours.value(this.ground));
  }

  #step([stroke, x, y, t, pressure, isAfterGap]) {
    if (x === undefined) {
      this.#stroke = null;
      return this.#sheet.end();
    }
    // Whole microseconds: a sum of decimals is not exact.
    const sample = { x, y, time: Math.round(t * 1e6) * 1000, pressure: pressure ?? -1 };
    if (stroke !== this.#stroke) this.#sheet.begin(sample);
    else this.#sheet.extend(sample, Boolean(isAfterGap));
    this.#stroke = stroke;
  }
}

/** `<paraph-mirror src="http://127.0.0.1:8420">`: shows the glass of a pad while a person signs. */
export class MirrorElement extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = ["src"];
  #canvas = document.createElement("canvas");
  #mirror = null;
  #controller = null;
  #token = null;
  #isInPage = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    Object.assign(this.#canvas.style, { display: "block", maxWidth: "100%", height: "auto" });
    this.#canvas.width = this.#canvas.height = 1;
    this.#canvas.setAttribute("role", "img");
    this.#canvas.addEventListener("contextrestored", () => this.#mirror?.restore());
    root.append(this.#canvas);
  }

  /** The canvas, of the glass's own pixels. */
  get canvas() { return this.#canvas; }

  /** A bearer token for paraph-web; set it before the element is part of the page. */
  set token(token) {
    this.#token = token;
    if (this.#isInPage) this.#open();
  }

  connectedCallback() {
    this.#isInPage = true;
    document.addEventListener("visibilitychange", this.#follow);
    this.#open();
  }

  disconnectedCallback() {
    this.#isInPage = false;
    document.removeEventListener("visibilitychange", this.#follow);
    this.#close();
  }

  attributeChangedCallback() { if (this.#isInPage) this.#open(); }

  #close() {
    this.#controller?.abort();
    this.#controller = null;
  }

  #open() {
    this.#close();
    this.#mirror = null;
    // A page may have the element before it knows whether it may look.
    if (!this.hasAttribute("src")) return;
    this.#canvas.setAttribute("aria-label", this.getAttribute("aria-label") ?? LABELS.pad);
    try { this.#mirror = new Mirror(this.#canvas); } catch (error) { return this.#tell("error", error); }
    this.#follow();
  }

  /** Opens the stream, or lets it go while nobody sees the page: a browser may have six connections to a host. */
  #follow = () => {
    this.#close();
    const mirror = this.#mirror;
    if (!mirror || document.hidden) return;
    const controller = this.#controller = new AbortController();
    const base = new URL(this.getAttribute("src"), document.baseURI);
    if (!base.pathname.endsWith("/")) base.pathname += "/";
    new ConnectedPad(base, this.#token).live((name, event) => {
      if (this.#controller !== controller) return;
      // A glass that the browser has no memory for ends no other event.
      try { mirror.take(name, event); } catch (error) { this.#tell("error", error); }
      this.#tell(name, event);
    }, { signal: controller.signal, onError: (error) => this.#controller === controller && this.#tell("error", error) });
  };

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
// A page may have loaded the module from two addresses; elsewhere than in a page there are no elements.
if (globalThis.customElements && !customElements.get("paraph-mirror")) {
  customElements.define("paraph-mirror", MirrorElement);
}

// ---- Either -------------------------------------------------------------------------------------------------------

/** Signs on the pad if it is available, otherwise on the canvas; see paraph.d.ts. */
export async function signAnywhere({ pad, canvas, request = {}, words = {}, labels, token, showsDocument = false }) {
  const { signal } = request;
  // On the canvas, the person has not read it.
  const needsPad = Boolean(request.document) && !showsDocument;
  try {
    const isAddress = typeof pad === "string" || pad instanceof URL;
    const connected = await (isAddress ? connect(pad, { token, signal }) : pad);
    // A request waits for a person, and would also wait for a pad that was connected earlier and no longer answers.
    if (connected && !isAddress) await connected.info({ signal });
    if (connected) return await connected.sign(request);
    if (needsPad) throw new Unreachable("Paraph: without a pad, this page cannot show the document");
  } catch (error) {
    if (needsPad || ![Busy, OutOfService, Unreachable, NotAllowed].some((kind) => error instanceof kind)) throw error;
  }
  if (canvas instanceof Pad) return signOn(canvas, request, words);
  const own = new Pad(canvas, { labels });
  try {
    return await signOn(own, request, words);
  } finally {
    // The next person does not see it.
    own.clear();
    own.off();
  }
}

/** Signs on a canvas, which is shown meanwhile, with the request's texts above and buttons below it. */
function signOn(pad, { title, prompt, language, signal, timeLimit, cancellable = false }, words) {
  const labels = { done: "Done", clear: "Clear", undo: "Undo", cancel: "Cancel", ...words };
  return new Promise((resolve, reject) => {
    const { canvas } = pad;
    const end = new AbortController();
    const [wasHidden, description] = [canvas.hidden, canvas.getAttribute("aria-describedby")];
    const text = requestText(title, prompt, language);
    const buttons = document.createElement("div");
    buttons.setAttribute("role", "group");
    const add = (label, action) => {
      const button = document.createElement("button");
      [button.type, button.textContent] = ["button", label];
      button.addEventListener("click", action);
      buttons.append(button);
      return button;
    };
    const finish = (settle, value) => {
      if (end.signal.aborted) return;
      end.abort();
      clearTimeout(timer);
      keys.forget(pad);
      text?.remove();
      buttons.remove();
      canvas.hidden = wasHidden;
      if (description === null) canvas.removeAttribute("aria-describedby");
      else canvas.setAttribute("aria-describedby", description);
      settle(value);
    };
    let isTaken = false;
    const done = add(labels.done, () => {
      isTaken = true;
      clearTimeout(timer);
      for (const button of buttons.children) button.disabled = true;
      pad.result().then((result) => finish(resolve, result), (error) => finish(reject, error));
    });
    const update = () => { if (!isTaken) done.disabled = pad.isEmpty(); };
    add(labels.clear, () => { keys.removeAll(pad); update(); });
    add(labels.undo, () => { keys.removeLast(pad); update(); });
    if (cancellable) {
      add(labels.cancel, () => finish(reject, new Cancelled("Paraph: the request was cancelled", { cancelled_by: "person" })));
    }
    const timer = timeLimit === undefined ? undefined : setTimeout(
      () => finish(reject, new TimedOut("Paraph: nobody signed within the time limit")), timeLimit * 1000);
    if (signal?.aborted) return finish(reject, signal.reason);
    signal?.addEventListener("abort", () => finish(reject, signal.reason), { once: true, signal: end.signal });
    pad.addEventListener("endStroke", update, { signal: end.signal });
    canvas.addEventListener("keyup", update, { signal: end.signal });
    update();
    if (text) {
      canvas.before(text);
      canvas.setAttribute("aria-describedby", description ? `${text.id} ${description}` : text.id);
    }
    canvas.hidden = false;
    canvas.after(buttons);
  });
}

/** An element with a request's texts; null if it has none. */
function requestText(title, prompt, language) {
  if (!title && !prompt) return null;
  const text = Object.assign(document.createElement("div"), { id: newID(), dir: "auto" });
  if (language) text.lang = language;
  for (const [name, value] of [["strong", title], ["p", prompt]]) {
    if (value) text.append(Object.assign(document.createElement(name), { textContent: value, dir: "auto" }));
  }
  return text;
}

export default {
  Pad, connect, signAnywhere, MirrorElement, ParaphError, Cancelled, TimedOut, Busy, OutOfService, Unreachable, NotAllowed,
  BadDocument, InvalidRequest,
};
