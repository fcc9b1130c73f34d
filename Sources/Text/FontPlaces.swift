/// Where Debian's font packages put what the pad needs, in the order of preference.
enum FontPlaces {
  /// All of them.
  static var all: [String] { latin + arabic + cjk + other + noto }

  private static let shared = "/usr/share/fonts/"

  /// Letters, digits and signs of Europe.
  static var latin: [String] {
    [
      "truetype/noto/NotoSans-Regular.ttf", "truetype/dejavu/DejaVuSans.ttf",
      "truetype/liberation/LiberationSans-Regular.ttf", "truetype/freefont/FreeSans.ttf",
    ].map { shared + $0 }
  }

  /// Arabic, Persian, Urdu.
  static var arabic: [String] {
    [
      "truetype/noto/NotoSansArabic-Regular.ttf", "truetype/noto/NotoNaskhArabic-Regular.ttf",
      "opentype/fonts-hosny-amiri/Amiri-Regular.ttf", "truetype/kacst-one/KacstOne.ttf",
      "truetype/dejavu/DejaVuSans.ttf",
    ].map { shared + $0 }
  }

  /// Hebrew, and what else a large font covers.
  static var other: [String] {
    [
      "truetype/noto/NotoSansHebrew-Regular.ttf", "truetype/dejavu/DejaVuSans.ttf",
    ].map { shared + $0 }
  }

  /// Chinese, Japanese, Korean.
  static var cjk: [String] {
    [
      "opentype/noto/NotoSansCJK-Regular.ttc", "opentype/ipafont-gothic/ipag.ttf",
      "truetype/droid/DroidSansFallbackFull.ttf", "truetype/wqy/wqy-microhei.ttc",
      "truetype/wqy/wqy-zenhei.ttc",
    ].map { shared + $0 }
  }

  /// Thai, Devanagari and other scripts of fonts-noto-core.
  static var noto: [String] {
    ["Thai", "Devanagari", "Bengali", "Tamil", "Georgian", "Armenian", "Ethiopic", "Symbols"].map {
      "\(shared)truetype/noto/NotoSans\($0)-Regular.ttf"
    }
  }
}
