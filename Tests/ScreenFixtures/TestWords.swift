import CLinux
import Ink
import Raster
import Screen
import Text

/// Words in every language of the pad, with the fonts and catalogues to show them.
public enum TestWords {
  /// The languages with a catalogue.
  public static let languages = ["en", "de", "pt", "ar", "ja"]

  /// The title and the prompt of a request, by language.
  public static let prompts = [
    "en": (
      "Parcel 4711", "For Ms Adelheid Brinkmann. Please sign to confirm that the parcel is whole."
    ),
    "de": (
      "Paket 4711",
      "Für Frau Adelheid Brinkmann-Größenwahn. Bitte bestätigen Sie den unversehrten Erhalt."
    ),
    "pt": (
      "Encomenda 4711",
      "Para o senhor João Conceição. Confirme, por favor, que recebeu a encomenda intacta."
    ),
    "ar": ("الطرد 4711", "إلى السيدة فاطمة الزهراء. يرجى التوقيع لتأكيد استلام الطرد سليمًا."),
    "ja": ("お荷物 4711", "山田花子様宛。お荷物を無事にお受け取りになりましたら、ご署名をお願いいたします。"),
  ]

  /// A question and its choices, by language.
  public static let questions = [
    "en": ("Which door shall the driver take?", ["Front", "Back", "Locker", "Neighbour"]),
    "de": ("Zu welcher Tür soll die Lieferung?", ["Vorne", "Hinten", "Schließfach", "Nachbar"]),
    "pt": ("Em que porta devemos deixar a encomenda?", ["Frente", "Fundos", "Cacifo", "Vizinho"]),
    "ar": ("إلى أي باب نوصل الطرد؟", ["الأمامي", "الخلفي", "الخزانة", "الجار"]),
    "ja": ("どの入口にお届けしますか？", ["正面玄関", "裏口", "宅配ロッカー", "お隣"]),
  ]

  /// The folder of the catalogues, compiled once.
  public static let catalogues: String = {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let folder = "\(root)/.build/locale"
    for language in languages {
      let place = "\(folder)/\(language)/LC_MESSAGES"
      system(
        "mkdir -p '\(place)' && msgfmt -o '\(place)/paraph.mo.\(getpid())' "
          + "'\(root)/config/locale/\(language).po' "
          + "&& mv '\(place)/paraph.mo.\(getpid())' '\(place)/paraph.mo'")
    }
    return folder
  }()

  /// What fonts and catalogues report.
  public final class Log {
    /// One line each.
    public var lines: [String] = []

    /// An empty log.
    public init() {}
  }

  /// A builder for a glass, with a button *Undo*.
  public static func builder(
    _ language: String, _ glass: Point, _ log: Log = Log(),
    options: LayoutOptions = LayoutOptions(), picture: GroundPicture? = nil
  ) throws -> SceneBuilder {
    let fonts = try FontStack(
      fonts: [
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
      ], wellKnown: false
    ) { log.lines.append($0) }
    return SceneBuilder(
      typesetter: Typesetter(fonts: fonts),
      catalogues: CatalogueFolder(catalogues) { log.lines.append($0) },
      language: Language(language) ?? .english, glass: glass, undo: true, options: options,
      picture: picture)
  }
}
