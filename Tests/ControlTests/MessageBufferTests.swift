import Testing

@testable import Control

@Suite struct MessageBufferTests {
  @Test func `messages are split correctly however the bytes arrive`() {
    let bytes = Array("one\0\0three\0rest".utf8)
    for size in 1...bytes.count {
      var buffer = MessageBuffer()
      var messages: [String] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        buffer.append(bytes[start..<min(start + size, bytes.count)])
        while let message = buffer.next() {
          messages.append(String(decoding: message, as: UTF8.self))
        }
      }
      #expect(messages == ["one", "", "three"])
      #expect(buffer.room == ControlLimits.message - 4)
    }
  }

  @Test func `a message that never ends fills the buffer and no more`() {
    var buffer = MessageBuffer()
    let much = [UInt8](repeating: 1, count: ControlLimits.message - 1)
    buffer.append(much[...])
    #expect(buffer.next() == nil && !buffer.isOverlong)
    buffer.append(much[...])
    #expect(buffer.next() == nil && buffer.isOverlong && buffer.room == 0)
  }
}
