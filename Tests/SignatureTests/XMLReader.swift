import Foundation
import FoundationXML

/// An XML parser that shares no code with the writers: elements in the order of the document.
final class XMLReader: NSObject, XMLParserDelegate {
  struct Element {
    let name: String
    let attributes: [String: String]
    /// The element around it.
    let parent: Int?
    var text = ""
  }

  private(set) var elements: [Element] = []
  private var open: [Int] = []

  /// Nil where the document is not well-formed.
  init?(_ bytes: [UInt8]) {
    super.init()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = self
    // The parser goes on after a missing end.
    guard parser.parse(), parser.parserError == nil, open.isEmpty else { return nil }
  }

  /// What lies directly in an element.
  func children(of parent: Int?) -> [(index: Int, element: Element)] {
    elements.indices.filter { elements[$0].parent == parent }.map { ($0, elements[$0]) }
  }

  func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    elements.append(Element(name: name, attributes: attributes, parent: open.last))
    open.append(elements.count - 1)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { open.removeLast() }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if let index = open.last { elements[index].text += string }
  }
}
